import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stopEmbedded } from '@kit/store';
import { embeddedFolders } from '../host/database.ts';

/** What only `dev` writes into a folder, the first of it before anything else but the database. */
const MARKS = ['secret.key', 'dev.json'];

/**
 * `--fresh`: ends a left-over database of this folder, then forgets everything but the lock just taken. A folder that `dev` has not marked is somebody
 * else's: its `postgres` and `nodes` are not ours to remove.
 */
export async function startOver(dataDir: string): Promise<void> {
  if (!MARKS.some((name) => existsSync(join(dataDir, name)))) return;
  for (const folder of embeddedFolders(dataDir)) {
    await stopEmbedded({ dataDir: folder });
    rmSync(folder, { recursive: true, force: true });
  }
  for (const name of ['nodes', ...MARKS]) rmSync(join(dataDir, name), { recursive: true, force: true });
}
