import { existsSync, realpathSync } from 'node:fs';
import { connectionString } from './connection.ts';
import type { Database } from './database.ts';
import { becomesOwner } from './embedded/owner.ts';
import { startServer } from './embedded/start.ts';
import { stopServer } from './embedded/stop.ts';
import { openStore } from './open-store.ts';

/**
 * An external PostgreSQL, 15 or newer (product.md §4 `database.url`). Refuses an older server and one that is not encoded in UTF-8; rejects with
 * `StoreUnavailable` when it cannot be reached. Makes its own schema `store` (outbox, migrations) when it is not there.
 */
export function openDatabase(o: { url: string; poolMax?: number; applicationName?: string }): Promise<Database> {
  return openStore({ address: { url: o.url }, engine: 'external', poolMax: o.poolMax, applicationName: o.applicationName });
}

/** `adopted`: the server ran already; `recovered`: the one before it had been killed. */
export type EmbeddedDatabase = Database & { socketDir: string; connectionString: string; adopted: boolean; recovered: boolean };

/**
 * The embedded PostgreSQL of a folder, made when missing: unix socket only, durable, as a system user of its own when this is root. It is started again
 * when it dies. Throws `FolderUnreachable` when its user cannot get to the folder.
 */
export async function openEmbedded(o: { dataDir: string; poolMax?: number }): Promise<EmbeddedDatabase> {
  let server = await startServer({ dataDir: o.dataDir });
  let isOwner = becomesOwner(server);
  const { socketDir, adopted, recovered } = server;
  const address = { socketDir, port: server.port, user: server.user, database: 'postgres' };
  const stop = async (): Promise<void> => {
    if (isOwner) await stopServer(server.dataDir);
  };
  try {
    const database = await openStore({
      address,
      engine: 'embedded',
      poolMax: o.poolMax,
      beforeReconnect: async () => {
        server = await startServer({ dataDir: o.dataDir });
        isOwner = becomesOwner(server, isOwner);
      },
      onClose: stop,
    });
    return Object.assign(database, { socketDir, connectionString: connectionString(address), adopted, recovered });
  } catch (e) {
    await stop();
    throw e;
  }
}

/** Ends the server of a folder, whoever started it, so that the folder can be moved or deleted. Nothing happens when there is none. */
export async function stopEmbedded(o: { dataDir: string }): Promise<void> {
  if (existsSync(o.dataDir)) await stopServer(realpathSync(o.dataDir));
}
