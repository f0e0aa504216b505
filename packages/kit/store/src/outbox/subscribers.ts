import type { OutboxEvent } from '../database.ts';

type Subscriber = (e: OutboxEvent) => void;

export interface Subscribers {
  add(fn: Subscriber): () => void;
  deliver(event: OutboxEvent): void;
}

export function createSubscribers(): Subscribers {
  const all = new Set<Subscriber>();
  return {
    add: (fn) => {
      // its own identity: one function may subscribe twice
      const own: Subscriber = (e) => fn(e);
      all.add(own);
      return () => {
        all.delete(own);
      };
    },
    deliver: (event) => {
      for (const fn of all) {
        try {
          fn(event);
        } catch (e) {
          process.emitWarning(e instanceof Error ? e : String(e), { code: 'STORE_SUBSCRIBER' });
        }
      }
    },
  };
}
