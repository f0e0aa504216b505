import type { Database } from './database.ts';
import { StoreUnavailable } from './errors.ts';

/** A fresh database on the one embedded server of this test run; `close()` drops it. */
export async function testDatabase(): Promise<Database> {
  throw new StoreUnavailable('interface only so far');
}

/** A fresh database on the machine's own PostgreSQL (Debian's folder), or undefined when there is none: then skip loudly. */
export async function externalDatabase(): Promise<Database | undefined> {
  return undefined;
}
