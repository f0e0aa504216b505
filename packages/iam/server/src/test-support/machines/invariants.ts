import { isDeepStrictEqual } from 'node:util';
import type { World } from '../world.ts';
import { isLiveSession, type Model } from './model.ts';

/** iam.md §25, as far as it can be seen from outside after any step. Throws naming the one that is broken. */
export async function checkInvariants(m: Model, world: World): Promise<void> {
  await sessionsAreWhatStandsBehindThem(m, world);
  await delegationsAreAsModelled(m, world);
  await confirmationsAreAsModelled(m, world);
  await effectsHaveTheirOwnApproval(m, world);
}

/** 6: whatever ends in a chain, the next request is refused; and nothing that stands is. */
async function sessionsAreWhatStandsBehindThem(m: Model, { iam }: World): Promise<void> {
  const answers = await Promise.all(
    m.sessions.map(({ token }) =>
      iam.authenticate({ token }).then(
        () => true,
        (error: { code?: string }) => {
          if (error.code !== 'UNAUTHENTICATED') throw error;
          return false;
        },
      ),
    ),
  );
  m.sessions.forEach((session, place) => {
    const isLive = isLiveSession(m, session);
    if (answers[place] !== isLive) throw new Error(`invariant 6: session ${place} is ${isLive ? 'refused' : 'taken'}`);
  });
}

function compare(name: string, real: unknown, model: unknown): void {
  if (!isDeepStrictEqual(real, model)) throw new Error(`${name}: ${JSON.stringify(real)} and not ${JSON.stringify(model)}`);
}

async function delegationsAreAsModelled(m: Model, { iam }: World): Promise<void> {
  const rows = await iam.store.rows('select id, status, expires_at as "expiresAt" from iam.delegations where id = any ($1) order by array_position($1, id)', [
    m.delegations.map((d) => d.id),
  ]);
  compare(
    'delegations',
    rows,
    m.delegations.map(({ id, status, expiresAt }) => ({ id, status, expiresAt })),
  );
}

/** 5: decided by the person or whom they named, and by nobody twice. */
async function confirmationsAreAsModelled(m: Model, { iam, alex, blake }: World): Promise<void> {
  const rows = await iam.store.rows(
    `select id, status, expires_at as "expiresAt", decided_by as "decidedBy", deputy_id is not null as "isDeputy" from iam.confirmations
     where delegation_id = any ($1) order by ordinal`,
    [m.delegations.map((d) => d.id)],
  );
  const people = { alex: alex.id, blake: blake.id };
  const modelled = m.confirmations.map(({ id, status, expiresAt, decidedBy }) => ({
    id,
    status,
    expiresAt,
    decidedBy: decidedBy === undefined ? null : people[decidedBy],
    isDeputy: decidedBy === 'blake',
  }));
  compare('confirmations', rows, modelled);
}

/** 4 and 14: no approval admits two effects, and what it admitted is in the chain once. */
async function effectsHaveTheirOwnApproval(m: Model, { iam, tenantId }: World): Promise<void> {
  if (new Set(m.effects).size !== m.effects.length) throw new Error('invariant 4: one approval admitted two effects');
  const rows = await iam.store.rows<{ id: string }>(
    `select metadata ->> 'confirmationId' as id from iam.audit_events
     where tenant_id = $1 and action = 'delegation:confirmation-use' and metadata ->> 'confirmationId' = any ($2) order by sequence`,
    [tenantId, m.confirmations.map((c) => c.id)],
  );
  compare(
    'invariant 14',
    rows.map((row) => row.id),
    m.effects,
  );
}
