import { chmodSync, renameSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Log } from '../host/log.ts';

/** A socket of mode 600 for one connection, gone as soon as that is made. `ended` resolves when neither is there any more. */
export function openOnce(o: { folder: string; id: string; log: Log; answer(socket: Socket): Promise<void> }): { end(): void; ended: Promise<void> } {
  const path = join(o.folder, `${o.id}.sock`);
  const fresh = join(o.folder, `${o.id}.new`);
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  let connection: Socket | undefined;
  const server = createServer((socket) => {
    if (connection) return void socket.destroy();
    connection = socket;
    gone();
    socket.on('error', (error) => o.log.warn({ error: error.message }, 'a command of the host went away'));
    socket.once('close', () => resolve());
    o.answer(socket).then(
      () => socket.destroySoon(),
      () => socket.destroy(),
    );
  });
  const gone = (): void => {
    server.close();
    for (const file of [fresh, path]) rmSync(file, { force: true });
  };
  const end = (): void => {
    gone();
    if (connection) connection.destroy();
    else resolve();
  };
  const fail = (error: unknown): void => {
    o.log.warn({ error: (error as Error).message }, 'the local socket cannot be opened');
    end();
  };
  server.on('error', fail);
  // it gets its name when it has its mode
  server.listen(fresh, () => {
    try {
      chmodSync(fresh, 0o600);
      renameSync(fresh, path);
    } catch (error) {
      fail(error);
    }
  });
  return { end, ended };
}
