import { Instant, onFleet } from '@kit/operation';
import { z } from 'zod';
import { limits } from '../limits.ts';
import { operation } from '../service.ts';
import { FleetConfig } from './config.ts';
import { FleetChange, PlanHash } from './plan-shape.ts';

/**
 * `fleet.apply` (compute.md §9): plans again under locks and applies in one transaction if the plan is still the one that
 * was read, else CONFLICT `plan-changed`. Never a tool [seed].
 */
export const apply = operation({
  id: 'fleet.apply',
  summary: 'Make the fleet what a file says, if its plan is still the one that was read.',
  effect: 'destroy',
  key: 'take',
  canBeHeld: true,
  input: { config: FleetConfig, planHash: PlanHash.meta({ description: 'Of the plan that was read.' }) },
  output: { applied: z.object({ planHash: PlanHash, changes: z.array(FleetChange), at: Instant }) },
  errors: ['CONFLICT', 'INVALID_STATE'],
  action: 'compute:fleet:admin',
  on: onFleet,
  audit: ['planHash'],
  bodyBytesMax: limits.fleetBodyBytesMax,
  // reads a file: apps/better-compute has the verb
  command: false,
  examples: [{ title: 'An empty fleet', input: { config: { version: 1 }, planHash: '0'.repeat(64) } }],
});
