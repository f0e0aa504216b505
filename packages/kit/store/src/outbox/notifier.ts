import type pg from 'pg';
import { channel } from './events.ts';

/** Tells other processes of new events: after the commit, and one NOTIFY for all that came while the one before was on its way. */
export interface Notifier {
  owe(): void;
  /** Sends what is owed, once there is a connection. */
  flush(): void;
}

// NOTIFY inside of the transaction would make all commits of the database wait for each other.
export function createNotifier(connection: () => pg.Client | undefined): Notifier {
  let isOwed = false;
  let isSending = false;
  async function send(): Promise<void> {
    isSending = true;
    for (let client = connection(); isOwed && client; client = connection()) {
      isOwed = false;
      // a lost one costs the other processes a poll
      await client.query(`notify ${channel}`).catch(() => {});
    }
    isSending = false;
  }
  const flush = (): void => {
    if (isOwed && !isSending) void send();
  };
  return {
    owe: () => {
      isOwed = true;
      flush();
    },
    flush,
  };
}
