import { meanOf } from '../callers.ts';
import type { Compute } from '../../apps/better-compute/src/host/services.ts';
import { requestIn } from '../reservations/create.ts';

export const STEPS = ['create', 'extend', 'release'] as const;
export type Step = (typeof STEPS)[number];

/** Mean milliseconds of each step of so many reservations, one after another. */
export async function timesOfLives({ reservations }: ReturnType<Compute['client']>, poolId: string, lives: number): Promise<Record<Step, number>> {
  const times: Record<Step, number[]> = { create: [], extend: [], release: [] };
  const timed = async <T>(step: Step, run: () => Promise<T>): Promise<T> => {
    const began = performance.now();
    const answer = await run();
    times[step].push(performance.now() - began);
    return answer;
  };
  for (let n = 0; n < lives; n++) {
    const { reservation } = await timed('create', () => reservations.create(requestIn(poolId)));
    await timed('extend', () => reservations.extend({ reservationId: reservation.id, by: '1h' }));
    await timed('release', () => reservations.release({ reservationId: reservation.id }));
  }
  return { create: meanOf(times.create), extend: meanOf(times.extend), release: meanOf(times.release) };
}
