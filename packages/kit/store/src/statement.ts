import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import type pg from 'pg';
import { storeError } from './errors.ts';
import { limits } from './limits.ts';
import { encode } from './values.ts';

const names = new Map<string, string>();

/** The name a text is prepared under, the same in every process; undefined (unprepared) once there are too many texts. */
export function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= limits.statements) return undefined;
  const name = `s_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
  names.set(text, name);
  return name;
}

/** Runs one statement on one connection; every failure leaves here as a `StoreUnavailable` or as the server's own error. */
export async function execute<R extends object>(client: pg.ClientBase, text: string, values: readonly unknown[] = []): Promise<pg.QueryResult<R>> {
  // Encoded before the driver sees them: a value that throws inside its bind step leaves the prepared statement broken for the next caller.
  const encoded = values.map(encode);
  const name = statementName(text);
  gather(client);
  try {
    return await client.query<R>(name === undefined ? { text, values: encoded } : { name, text, values: encoded });
  } catch (e) {
    throw storeError(e);
  }
}

/** A control word such as BEGIN: one message, nothing to prepare. */
export async function command(client: pg.ClientBase, text: string): Promise<string> {
  gather(client);
  try {
    return (await client.query(text)).command;
  } catch (e) {
    throw storeError(e);
  }
}

/** What is sent on a connection within one turn of the event loop leaves in one write: each write wakes the server and costs more than what it carries. */
function gather(client: pg.ClientBase): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}
