import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { FolderUnreachable, openDatabase, openEmbedded, type Database } from '@kit/store';
import { invalidConfig } from '../config/invalid-config.ts';
import type { Options } from '../config/options.ts';

const SHARED = '/var/lib/better-compute';

/** Where the embedded database of a data folder is: inside it, or beside when the server's own user cannot get in (a clone in root's home). */
export const embeddedFolders = (dataDir: string): string[] => {
  const inside = join(resolve(dataDir), 'postgres');
  return [inside, join(SHARED, `dev-${createHash('sha256').update(inside).digest('hex').slice(0, 12)}`)];
};

async function openInFolder(options: Options): Promise<Database> {
  mkdirSync(resolve(options.dataDir), { recursive: true });
  const [inside, beside] = embeddedFolders(options.dataDir) as [string, string];
  try {
    return await openEmbedded({ dataDir: inside, poolMax: options.database.poolMax });
  } catch (error) {
    if (!(error instanceof FolderUnreachable) || process.getuid?.() !== 0) throw error;
    mkdirSync(SHARED, { recursive: true, mode: 0o755 });
    return await openEmbedded({ dataDir: beside, poolMax: options.database.poolMax });
  }
}

/** External PostgreSQL by URL, or the embedded one in the data folder. `serve` is told so: it never starts one by itself. */
export async function openStore(options: Options, o: { mayEmbed: boolean }): Promise<Database> {
  if (options.database.url !== undefined) return await openDatabase({ url: options.database.url, poolMax: options.database.poolMax });
  if (!o.mayEmbed && !options.database.embedded)
    throw invalidConfig('say which database: set database.url to a PostgreSQL 15 or newer, or database.embedded to true', { path: 'database.url' });
  return await openInFolder(options);
}
