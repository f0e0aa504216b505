import type { Deployment } from '../deployment/deployment.ts';
import { requestIn } from '../reservations/create.ts';

/** The pool whose calls are timed: alike on both sides, and nothing grows in it. */
export const QUIET = 'pool_quiet';
export const QUIET_NODES = 8;

/** Calls about something else than what has grown; each is one call in process, as itself. */
export const UNRELATED = ['pools.list', 'reservations.get', 'reservations.list', 'reservations.create'] as const;
export type Unrelated = (typeof UNRELATED)[number];

export interface UnrelatedCalls {
  /** Milliseconds of one. */
  time(call: Unrelated): Promise<number>;
}

/** Of somebody who works in the quiet pool, with one reservation there. */
export async function unrelatedCalls({ compute, keys }: Deployment): Promise<UnrelatedCalls> {
  const { pools, reservations } = compute.client(keys[0]!);
  const { reservation } = await reservations.create(requestIn(QUIET));
  const made: string[] = [];
  const calls: Record<Unrelated, () => Promise<unknown>> = {
    'pools.list': () => pools.list({}),
    'reservations.get': () => reservations.get({ reservationId: reservation.id }),
    'reservations.list': () => reservations.list({ poolId: QUIET, scope: 'all' }),
    'reservations.create': async () => made.push((await reservations.create(requestIn(QUIET))).reservation.id),
  };
  return {
    async time(call) {
      const began = performance.now();
      await calls[call]();
      const took = performance.now() - began;
      for (const reservationId of made.splice(0)) await reservations.release({ reservationId });
      return took;
    },
  };
}
