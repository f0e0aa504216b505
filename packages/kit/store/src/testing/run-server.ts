import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Binaries } from '../embedded/binaries.ts';
import { markOfSelf } from '../embedded/processes.ts';
import { type Server, startServer } from '../embedded/start.ts';

/** What a test loses in a power cut is no loss. */
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_wal_size: '1GB', deadlock_timeout: '100ms' };

// Ends the server and removes its folder as soon as the test process is gone, also by kill -9. Not an exit hook: worker threads end before the process.
const watch = `
while [ -d "/proc/$1" ]; do sleep 0.3; done
read -r server < "$2/postmaster.pid" && kill -INT "$server"
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do [ -e "$2/postmaster.pid" ] && sleep 0.2; done
rm -rf "$2" "$2".lock* "$3"
rmdir "$4"`;

/** One server for all worker threads of this process. */
export async function runServer(name: string, binaries?: Binaries): Promise<Server> {
  const { pid, startTicks } = markOfSelf();
  const folder = join(tmpdir(), `bc-test-${pid}-${startTicks}`);
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o711);
  const server = await startServer({ dataDir: join(folder, name), binaries, settings });
  if (!server.adopted) {
    const options = ['-c', watch, 'watch', String(pid), server.dataDir, server.socketDir, folder];
    spawn('/bin/sh', options, { cwd: '/', detached: true, stdio: 'ignore' }).unref();
  }
  return server;
}
