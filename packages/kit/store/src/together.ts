import type { Queryable } from './database.ts';

interface Turn<Ask, Answer> {
  asks: Ask[];
  answers: Promise<readonly Answer[]>;
}

/**
 * Makes one statement of what is asked of one transaction (or of the database) within one turn of the event loop: calls that run side by side in it then
 * share a round trip. `read` gives its answers in the order of the asks.
 */
export function together<Ask, Answer>(read: (q: Queryable, asks: readonly Ask[]) => Promise<readonly Answer[]>): (q: Queryable, ask: Ask) => Promise<Answer> {
  const turns = new WeakMap<Queryable, Turn<Ask, Answer>>();
  return async (q, ask) => {
    let turn = turns.get(q);
    if (!turn) {
      const asks: Ask[] = [];
      // once all that is ready to run has run, and so has asked
      const ready = new Promise<void>((resolve) => process.nextTick(resolve));
      const answers = ready.then(() => {
        turns.delete(q);
        return read(q, asks);
      });
      turn = { asks, answers };
      turns.set(q, turn);
    }
    const place = turn.asks.push(ask) - 1;
    return (await turn.answers)[place] as Answer;
  };
}
