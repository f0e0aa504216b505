import type { EffectHandler } from '../handler.ts';
import { findReadablePool } from '../pools/readable.ts';
import type { PoolRow } from '../pools/store.ts';
import { noCapableNode } from '../refuse.ts';
import { findNone } from '../resources/none.ts';

/** Everything up to the effect. Agents have no volume driver yet, so the effect is `no-capable-node`. */
export const create: EffectHandler<'sandboxVolumes.create', PoolRow> = {
  about: (scope, input) => findReadablePool(scope, input.poolId),
  draft: (scope, { poolId, name, sizeGiB }, { config }) => ({
    card: () => ({ summary: `Create a volume of ${sizeGiB} GiB in pool ${JSON.stringify(config.name)}.`, facts: [] }),
    attributes: { poolId, sizeGiB },
    ownerId: scope.access.caller.identityId,
    frozen: { poolId, name, sizeGiB },
  }),
  impossible: () => noCapableNode('keep volumes'),
  async run() {
    throw noCapableNode('keep volumes');
  },
  answer: findNone,
};
