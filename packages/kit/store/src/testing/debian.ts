import { existsSync, readdirSync } from 'node:fs';
import type { Binaries } from '../embedded/binaries.ts';

const folder = '/usr/lib/postgresql';

/** The oldest PostgreSQL from 15 on that Debian's packages put on this machine. */
export function debianBinaries(): Binaries | undefined {
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder)
    .map((name) => ({ bin: `${folder}/${name}/bin`, major: Number(name) }))
    .filter(({ bin, major }) => major >= 15 && existsSync(`${bin}/initdb`))
    .sort((a, b) => a.major - b.major)[0];
}
