import type { PlacedClaim, Refusal } from '@better-compute/placement';
import { mayBeHeld } from '../calls/target.ts';
import { reportOf } from '../capacity/report.ts';
import type { EffectHandler } from '../handler.ts';
import type { JsonValue } from '../iam-port.ts';
import { mintId } from '../ids.ts';
import { namesOf } from '../ledger/names.ts';
import type { PoolTx } from '../ledger/pool-tx.ts';
import { limits } from '../limits.ts';
import type { Scope } from '../plane.ts';
import { foundPool } from '../pools/resource.ts';
import type { PoolRow } from '../pools/store.ts';
import { refuse } from '../refuse.ts';
import { announce, endReservation } from './change.ts';
import { createCard } from './card.ts';
import { createCharge } from './cost.ts';
import { claimPlaced, type Placed } from './placed.ts';
import { checkPlan, type Plan, placementOf, planOf } from './plan.ts';
import { findReservation, planAttributes } from './resource.ts';
import { countPending, type NewReservation, readReservation } from './store.ts';
import { freshView, reservationView } from './view.ts';

export const create: EffectHandler<'reservations.create', PoolRow> = {
  lane: async (_plane, input) => input.poolId,

  isCharged: true,
  isEarly: true,

  // under its lock the pool is at hand
  about: async (scope) => scope.pool && foundPool(scope, scope.pool.row, namesOf(scope.pool.fold).products),

  draft(scope, input, { config }) {
    const plan = planOf(config, input);
    checkPlan(config, plan, scope.now);
    // nobody is asked to approve what could never happen
    if (mayBeHeld(scope.access)) {
      const tried = scope.pool!.fold.ledger.place(placementOf(plan), scope.now);
      if (!tried.ok && tried.refusal.kind === 'NEVER_FITS') throw noRoom(tried.refusal);
    }
    return {
      card: () => createCard({ pool: config, names: namesOf(scope.pool!.fold).all, prices: scope.plane.prices }, plan),
      attributes: planAttributes(input.poolId, plan),
      ownerId: scope.access.caller.identityId,
      frozen: plan as unknown as JsonValue,
      whole: { poolId: input.poolId, ...plan } as unknown as JsonValue,
      charge: createCharge(plan),
    };
  },

  async run(scope, _input, { frozen }) {
    const pool = scope.pool!;
    const plan = frozen as unknown as Plan;
    const row = newReservation(scope, pool, plan);
    const request = placementOf(plan);
    pool.fold.ledger.learn(request);
    const queue = pool.row.config.placement === 'lease' ? await countPending(pool.tx, pool.row.id, row.tenantId, row.ownerId) : undefined;
    // behind a queue nobody is placed out of turn: the placer decides, and the commit wakes it
    const result = queue && queue.ofPool > 0 ? undefined : pool.fold.ledger.placePreempting(request, pool.now);
    if (result?.ok) return { reply: { reservation: freshView(scope.plane.prices, await place(pool, row, result)) }, objectId: row.id };
    const refusal = result ? result.refusal : neverFits(pool, plan);
    if (refusal && (!queue || refusal.kind === 'NEVER_FITS')) throw noRoom(refusal);
    if (queue) checkQueue(queue);
    return { reply: { reservation: await enqueue(scope, pool, row) }, objectId: row.id };
  },

  async answer(look, id) {
    const found = await findReservation(look, id);
    return found && { reply: { reservation: reservationView(look.plane.prices, found.row) }, found };
  },

  waitsFor: ({ reservation }) => (reservation.state === 'pending' ? reservation.id : undefined),
};

function newReservation({ access, tenantId }: Scope, pool: PoolTx, request: Plan): NewReservation {
  return {
    id: mintId('rsv'),
    tenantId,
    ownerId: access.caller.identityId,
    agentId: access.caller.agentId ?? null,
    delegationId: access.caller.delegationId ?? null,
    poolId: pool.row.id,
    state: 'pending',
    request,
    placements: [],
    claimIds: [],
    products: {},
    startsAt: null,
    expiresAt: null,
    createdAt: pool.now,
    degraded: null,
  };
}

async function place(pool: PoolTx, row: NewReservation, result: { claims: PlacedClaim[]; preempts: string[] }): Promise<NewReservation> {
  if (result.preempts.length > 0) await pool.flush();
  for (const id of result.preempts) await endReservation(pool, (await readReservation(pool.tx, id))!, 'preempt', { by: row.ownerId, note: `for ${row.id}` });
  const placed: Placed = claimPlaced(pool, row.id, result.claims);
  const next = { ...row, ...placed };
  save(pool, next);
  return next;
}

async function enqueue(scope: Scope, pool: PoolTx, row: NewReservation) {
  save(pool, row);
  await pool.flush();
  return reservationView(scope.plane.prices, (await readReservation(pool.tx, row.id))!);
}

function save(pool: PoolTx, row: NewReservation): void {
  pool.addReservation(row);
  pool.note({ objectId: row.id, from: 'requested', to: row.state, cause: 'create', by: row.ownerId, at: pool.now });
  announce(pool, row);
}

/** With others waiting the request is not tried, but what can never be placed is still not queued. */
function neverFits(pool: PoolTx, plan: Plan): Refusal | undefined {
  const tried = pool.fold.ledger.place(placementOf(plan), pool.now);
  return !tried.ok && tried.refusal.kind === 'NEVER_FITS' ? tried.refusal : undefined;
}

function checkQueue(queue: { ofPool: number; ofOwner: number }): void {
  const [reason, most] = queue.ofPool >= limits.pendingPerPool ? ['pending-per-pool', limits.pendingPerPool] : ['pending-per-owner', limits.pendingPerOwner];
  if (queue.ofPool >= limits.pendingPerPool || queue.ofOwner >= limits.pendingPerOwner)
    throw refuse('RATE_LIMITED', `at most ${most} reservations may wait: release some`, { reason }, limits.pendingRetryMs);
}

const noRoom = (refusal: Refusal) => refuse(refusal.kind, refusal.text, { ...reportOf(refusal) });
