import { afterEach, describe } from 'vitest';
import { externalDatabase, type TestDatabase, testDatabase } from '../testing.ts';
import { debianBinaries } from './debian.ts';

/** Runs the suite on the embedded and on the oldest external PostgreSQL (compute.md §13). `open` gives a fresh database that is closed after the test. */
export function onEachEngine(title: string, suite: (open: () => Promise<TestDatabase>) => void): void {
  const opened: TestDatabase[] = [];
  const opening = (source: () => Promise<TestDatabase | undefined>) => async () => {
    const database = await source();
    if (!database) throw new Error('no such engine on this machine');
    opened.push(database);
    return database;
  };
  const closeAll = async (): Promise<void> => {
    await Promise.all(opened.splice(0).map((database) => database.close()));
  };
  describe(`${title}, embedded`, () => {
    afterEach(closeAll);
    suite(opening(testDatabase));
  });
  const hasDebian = debianBinaries() !== undefined;
  if (!hasDebian) console.warn(`SKIPPED on the external engine: ${title}. Install postgresql-15 to run it.`);
  describe.skipIf(!hasDebian)(`${title}, external`, () => {
    afterEach(closeAll);
    suite(opening(externalDatabase));
  });
}
