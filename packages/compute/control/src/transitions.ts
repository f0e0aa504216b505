import type { Queryable } from '@kit/store';

/** One edge of a state table, taken: who, when and why (compute.md §14). */
export interface Transition {
  objectId: string;
  from: string;
  to: string;
  cause: string;
  /** Identity, or `system` for what deadlines and loops do. */
  by: string;
  at: number;
}

export const SYSTEM = 'system';

export const insertTransitions = (q: Queryable, rows: readonly Transition[]): Promise<number> =>
  q.run(
    `insert into compute.transition (object_id, from_state, to_state, cause, by, at)
     select "objectId", "from", "to", cause, by, at
     from jsonb_to_recordset($1::jsonb) as r ("objectId" text, "from" text, "to" text, cause text, by text, at bigint)`,
    [JSON.stringify(rows)],
  );
