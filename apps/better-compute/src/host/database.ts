import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openDatabase, openEmbedded, type Database } from '@kit/store';
import { invalidConfig } from '../config/invalid-config.ts';
import type { Options } from '../config/options.ts';

/** External PostgreSQL by URL, or the embedded one in the data folder. `serve` is told so: it never starts one by itself. */
export async function openStore(options: Options, o: { mayEmbed: boolean }): Promise<Database> {
  if (options.database.url !== undefined) return await openDatabase({ url: options.database.url, poolMax: options.database.poolMax });
  if (!o.mayEmbed && !options.database.embedded) throw invalidConfig('say which database: set database.url to a PostgreSQL 15 or newer, or database.embedded to true', { path: 'database.url' });
  const dataDir = resolve(options.dataDir);
  mkdirSync(dataDir, { recursive: true });
  return await openEmbedded({ dataDir: join(dataDir, 'postgres'), poolMax: options.database.poolMax });
}
