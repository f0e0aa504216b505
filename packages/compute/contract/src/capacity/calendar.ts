import { Instant, object } from '@kit/operation';
import { z } from 'zod';
import { PoolId, ReservationId } from '../ids.ts';
import { operation } from '../service.ts';
import { Placement, ReservationState } from '../reservations/reservation.ts';

const Booking = z.object({
  reservationId: ReservationId,
  ownerId: z.string(),
  state: ReservationState,
  from: Instant,
  to: Instant,
  gpus: z.int(),
  placements: z.array(Placement),
});

/** `capacity.calendar` (compute.md §5.5): what a calendar of the pool draws. Others' reservations show only in what is not free. */
export const calendar = operation({
  id: 'capacity.calendar',
  summary: 'Show how many GPUs of a pool are free over a time to come, hour by hour, and which reservations you may see lie in it.',
  effect: 'read',
  input: {
    poolId: PoolId,
    from: Instant.optional().meta({ description: 'Begin, epoch milliseconds; default, and earliest: now.' }),
    to: Instant.optional().meta({ description: 'End, at most 31 days after the begin; default: 7 days after it.' }),
  },
  output: {
    calendar: z.object({
      poolId: PoolId,
      at: Instant,
      from: Instant,
      to: Instant,
      products: z.array(
        z.object({
          product: z.string(),
          steps: z
            .array(z.object({ from: Instant, free: z.int() }))
            .meta({ description: 'From each hour that differs from the one before: GPUs that are free all through it.' }),
        }),
      ),
      reservations: z.array(Booking).meta({ description: 'Placed ones, first to start first.' }),
      truncated: z.boolean().meta({ description: 'There are more reservations than these.' }),
    }),
  },
  action: 'compute:pools:read',
  on: object('pool', (input: { poolId: string }) => input.poolId),
  command: { positional: ['poolId'] },
  examples: [{ title: 'The week to come', input: { poolId: 'pool_h100-fra' } }],
});
