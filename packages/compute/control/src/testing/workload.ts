import { refusalOf } from '@kit/operation';
import { Random } from './random.ts';
import { POOL, type TestClient } from './test-plane.ts';

const HOUR_MS = 3_600_000;

/** Every way in which a pool says no to an honest caller. */
const NOES = ['NO_CAPACITY', 'NEVER_FITS', 'INVALID_STATE', 'INVALID_INPUT', 'QUOTA_EXCEEDED'];

/** What a caller believes after its work, by the answers it was given. */
export interface Worked {
  done: number;
  refused: Record<string, number>;
  /** Has them still. */
  live: string[];
  /** Was told that they are given back. */
  ended: string[];
}

/** One caller: makes, extends and gives back, and takes every no for an answer. Throws what is not a no. */
export async function work(client: TestClient, o: { seed: number; rounds: number; now: number }): Promise<Worked> {
  const random = new Random(o.seed);
  const worked: Worked = { done: 0, refused: {}, live: [], ended: [] };
  for (let round = 0; round < o.rounds; round++) {
    const dice = random.below(10);
    const reservationId = worked.live[random.below(worked.live.length)];
    const startsAt = random.below(10) < 3 ? { startsAt: o.now + random.below(24) * HOUR_MS } : {};
    const part = { class: 'gpu' as const, count: random.between(1, 8), nvlink: random.below(10) < 3 };
    const duration = `${random.between(1, 12)}h`;
    try {
      if (dice < 5 || reservationId === undefined)
        worked.live.push((await client.reservations.create({ poolId: POOL, requests: [part], duration, ...startsAt })).reservation.id);
      else if (dice < 7) await client.reservations.extend({ reservationId, by: '2h' });
      else {
        await client.reservations.release({ reservationId });
        worked.live = worked.live.filter((id) => id !== reservationId);
        worked.ended.push(reservationId);
      }
      worked.done++;
    } catch (error) {
      const code = refusalOf(error)?.code ?? '';
      if (!NOES.includes(code)) throw error;
      worked.refused[code] = (worked.refused[code] ?? 0) + 1;
    }
  }
  return worked;
}
