import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** What the running (or killed) server says of itself in `postmaster.pid`. */
export interface PidFile {
  pid: number;
  port: number;
  socketDir: string;
  isReady: boolean;
}

const pathOf = (dataDir: string): string => join(dataDir, 'postmaster.pid');

export const hasPidFile = (dataDir: string): boolean => existsSync(pathOf(dataDir));

export function readPidFile(dataDir: string): PidFile | undefined {
  let text: string;
  try {
    text = readFileSync(pathOf(dataDir), 'utf8');
  } catch {
    return undefined;
  }
  // pid, data folder, start, port, socket folder, address, shared memory key, status
  const lines = text.split('\n').map((line) => line.trim());
  return { pid: Number(lines[0]), port: Number(lines[3]), socketDir: lines[4] ?? '', isReady: lines[7] === 'ready' };
}

/** Takes away what a dead server left: PostgreSQL itself refuses to start where the number in these files is alive again as something else. */
export function removeLeftovers(dataDir: string, was: PidFile): void {
  if (was.socketDir !== '') for (const end of ['', '.lock']) rmSync(join(was.socketDir, `.s.PGSQL.${was.port}${end}`), { force: true });
  rmSync(pathOf(dataDir), { force: true });
}
