import { debianBinaries } from './testing/debian.ts';
import { freshDatabases, type Source, type TestDatabase } from './testing/fresh-database.ts';
import { runServer } from './testing/run-server.ts';

export type { TestDatabase };

// Kept for the life of the worker on purpose: the server is shared, what is in it is not.
let embedded: Promise<Source> | undefined;
let external: Promise<Source> | undefined;

/** A fresh database on the one embedded server of this test process. Not durable. Close it in the test that opened it. */
export async function testDatabase(): Promise<TestDatabase> {
  embedded ??= runServer('embedded').then((server) => freshDatabases(server, 'embedded'));
  return (await embedded)();
}

/** The same on Debian's PostgreSQL (the oldest from 15 on), or undefined when the machine has none: then skip loudly. */
export async function externalDatabase(): Promise<TestDatabase | undefined> {
  const binaries = debianBinaries();
  if (!binaries) return undefined;
  external ??= runServer(`debian-${binaries.major}`, binaries).then((server) => freshDatabases(server, 'external'));
  return (await external)();
}
