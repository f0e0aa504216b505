import type { EffectHandler, In } from '../handler.ts';
import type { JsonValue } from '../iam-port.ts';
import type { Scope } from '../plane.ts';
import { findReadablePool } from '../pools/readable.ts';
import type { PoolRow } from '../pools/store.ts';
import { accessDenied, noCapableNode } from '../refuse.ts';
import { findNone } from '../resources/none.ts';

/**
 * Everything up to the effect. Agents have no QEMU driver yet, so the effect is `no-capable-node`; which flavor and image
 * it would be is then nobody's question, and neither is looked up.
 */
export const create: EffectHandler<'instances.create', PoolRow> = {
  about: async (scope, input) => {
    checkHand(scope, input);
    return await findReadablePool(scope, input.poolId);
  },
  draft(scope, input, { config }) {
    const { sshKeys: _keys, userData: _data, wait: _wait, tenantId: _tenant, idempotencyKey: _key, note: _note, ...frozen } = input;
    const { poolId, flavor, imageId } = input;
    const size = Object.hasOwn(config.flavors, flavor) ? config.flavors[flavor] : undefined;
    return {
      card: () => ({ summary: `Create a virtual machine in pool ${JSON.stringify(config.name)}.`, facts: [] }),
      attributes: { poolId, flavor, imageId, ...(size ? { vcpu: size.vcpu, memoryGiB: size.memoryGiB } : {}) },
      ownerId: scope.access.caller.identityId,
      frozen: frozen as JsonValue,
    };
  },
  impossible: () => noCapableNode('run virtual machines'),
  async run() {
    throw noCapableNode('run virtual machines');
  },
  answer: findNone,
};

/** Keys and first-boot data open a machine to whoever wrote them: a person writes them in a session of their own [seed]. */
function checkHand({ access }: Scope, { sshKeys, userData }: In<'instances.create'>): void {
  if ((sshKeys !== undefined || userData !== undefined) && access.caller.sessionKind !== 'user')
    throw accessDenied("sshKeys and userData are taken from a person's own session alone");
}
