import type { EffectHandler } from '../handler.ts';
import { invalidState } from '../refuse.ts';
import { findNone } from '../resources/none.ts';

/** No approver keys can be configured yet, and without them there are no batches: restarts are a matter of policy alone (compute.md §8.2). */
const noKeys = () => invalidState('unavailable', 'no-approver-keys', 'this deployment has no approver keys: restarts need no batch, only the permission');

export const create: EffectHandler<'commandBatches.create'> = {
  attributes: ({ nodeIds }) => ({ kind: 'node.reboot', nodeCount: nodeIds.length }),
  impossible: noKeys,
  async run() {
    throw noKeys();
  },
  answer: findNone,
};
