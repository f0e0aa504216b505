import { onFleet } from '@kit/operation';
import { z } from 'zod';
import { limits } from '../limits.ts';
import { operation } from '../service.ts';
import { FleetConfig, type FleetConfigInput } from './config.ts';
import { FleetPlan } from './plan-shape.ts';

/** The file's members are checked by compute: written out here they would be a third of the tool list. */
const toolArguments = z.strictObject({
  config: z
    .looseObject({})
    .refine((config) => new TextEncoder().encode(JSON.stringify(config)).length <= limits.fleetToolBytesMax, 'must be at most 1 MiB of JSON')
    .meta({ description: 'A FleetConfig as fleet_export gives it, at most 1 MiB.' }),
});

/** `fleet.plan` (compute.md §9): what applying a file would do. Changes nothing. */
export const plan = operation({
  id: 'fleet.plan',
  summary: 'Compare a fleet file with what is, and say what applying it would do.',
  effect: 'read',
  input: { config: FleetConfig },
  output: { plan: FleetPlan },
  action: 'compute:fleet:admin',
  on: onFleet,
  bodyBytesMax: limits.fleetBodyBytesMax,
  tool: {
    name: 'fleet_plan',
    description: 'Say what applying a FleetConfig would change, with its planHash. A person applies it: better-compute fleet apply FILE --plan-hash HASH.',
    hints: { readOnly: true, destructive: false, idempotent: false },
    onHold: 'error',
    gate: { action: 'compute:fleet:admin', type: 'fleet', id: 'global' },
    arguments: toolArguments,
    toInput: (a: z.output<typeof toolArguments>) => ({ config: a.config as unknown as FleetConfigInput }),
    toAnswer: ({ plan: { calls, ...shown } }: { plan: FleetPlan }) => ({ plan: { ...shown, callCount: calls.length } }),
    option: 'fleet',
  },
  // reads a file: apps/better-compute has the verb
  command: false,
  examples: [{ title: 'An empty fleet', input: { config: { version: 1 } } }],
});
