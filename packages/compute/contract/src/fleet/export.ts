import { onFleet } from '@kit/operation';
import { operation } from '../service.ts';
import { FleetConfig } from './config.ts';

/** `fleet.export` (compute.md §9): the form that applied again plans nothing. Root tenant only. */
export const exportFleet = operation({
  id: 'fleet.export',
  summary: 'Write the whole fleet as one file: pools, budgets and prices.',
  effect: 'read',
  output: { config: FleetConfig },
  action: 'compute:fleet:admin',
  on: onFleet,
  tool: {
    name: 'fleet_export',
    description: 'Write the whole fleet, pools, budgets and prices, as one FleetConfig.',
    hints: { readOnly: true, destructive: false, idempotent: false },
    onHold: 'error',
    gate: { action: 'compute:fleet:admin', type: 'fleet', id: 'global' },
    option: 'fleet',
  },
  // writes a file: apps/better-compute has the verb
  command: false,
  examples: [{ title: 'All of it', input: {} }],
});
