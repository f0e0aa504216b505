import type { Database } from './database.ts';
import { StoreUnavailable } from './errors.ts';

export async function openDatabase(o: { url: string; poolMax?: number; applicationName?: string }): Promise<Database> {
  throw new StoreUnavailable(`interface only so far: ${o.applicationName ?? 'store'}`);
}

export async function openEmbedded(o: {
  dataDir: string;
  poolMax?: number;
}): Promise<Database & { socketDir: string; connectionString: string; adopted: boolean; recovered: boolean }> {
  throw new StoreUnavailable(`interface only so far: ${o.dataDir}`);
}
