import type { FleetConfig, FleetPool } from '@better-compute/contract';
import type { EffectHandler, Out } from '../handler.ts';
import type { JsonValue } from '../iam-port.ts';
import type { Scope } from '../plane.ts';
import { revokeTokensOf } from '../node-tokens/store.ts';
import { deletePool, insertPool, lockPool, updatePool } from '../pools/store.ts';
import { invalidState, refuse } from '../refuse.ts';
import { carryOutBudget, lockBooks } from './budgets.ts';
import { type Planned, planOf } from './plan-of.ts';
import { findFleet } from './resource.ts';
import { checkedFile, readSlugs, renamed, type Slugs } from './slugs.ts';
import { stateOf } from './state.ts';
import { lockFleet, updatePrices, usesOfPool } from './store.ts';

export const apply: EffectHandler<'fleet.apply'> = {
  card: (_row, { planHash }) => ({ summary: `Make the fleet what a file says, by the plan ${planHash}.`, facts: [] }),

  async run(scope, input) {
    const { plane, tx, now } = scope;
    await lockFleet(tx);
    const slugs = await readSlugs(plane, tx);
    const file = checkedFile(input.config as FleetConfig, slugs);
    const touched = planOf(await stateOf(tx, slugs), file);
    // always in one order, so that two of these never wait for each other
    for (const { id } of touched.pools) await lockPool(tx, id);
    await lockBooks(scope, touched.budgets, slugs);
    const plan = planOf(await stateOf(tx, slugs), file);
    if (plan.planHash !== input.planHash) throw changed(plan);
    for (const { op, id } of plan.pools) if (op === 'delete') await checkUnused(scope, id);
    for (const { op, id } of plan.pools) await carryOut(scope, op, id, file.pools[id], slugs);
    for (const one of plan.budgets) await carryOutBudget(scope, one, file, slugs);
    if (plan.hasPrices) await updatePrices(tx, file.prices ?? null);
    if (plan.changes.length > 0) await tx.publish({ topic: 'compute.fleet', key: 'global', payload: { planHash: plan.planHash } });
    const applied = { planHash: plan.planHash, changes: plan.changes, at: now };
    return { reply: { applied }, objectId: 'global', detail: applied as unknown as JsonValue };
  },

  async answer(look, id, detail) {
    const found = await findFleet(look, id);
    return found && { reply: { applied: detail as unknown as Out<'fleet.apply'>['applied'] }, found };
  },
};

const changed = ({ planHash, changes }: Planned) =>
  refuse('CONFLICT', 'the fleet or the file is not what was planned with: plan again and read what it does now', { reason: 'plan-changed', planHash, changes });

async function checkUnused({ tx }: Scope, id: string): Promise<void> {
  const { nodes, reservations } = await usesOfPool(tx, id);
  if (nodes + reservations > 0)
    throw invalidState('in-use', 'in-use', `${id} has ${nodes} nodes and ${reservations} reservations that have not ended: remove and release them first`);
}

async function carryOut({ tx, now }: Scope, op: Planned['pools'][number]['op'], id: string, pool: FleetPool | undefined, slugs: Slugs): Promise<void> {
  if (pool === undefined) {
    await revokeTokensOf(tx, id, now);
    await deletePool(tx, id, now);
    return;
  }
  const config = { id, ...renamed(pool, (slug, member) => slugs.idOf(slug, `config.pools.${id}.${member}`)) };
  if (op === 'update') await updatePool(tx, config);
  // made by somebody else since: their transaction came first
  else if (!(await insertPool(tx, config, now))) throw refuse('CONFLICT', `${id} was made just now: plan again`, { reason: 'plan-changed' });
}
