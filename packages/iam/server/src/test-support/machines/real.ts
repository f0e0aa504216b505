import type { World } from '../world.ts';
import type { AgentModel, Model } from './model.ts';
import { makeKey } from './outcome.ts';
import { assume, grant } from './steps.ts';

/** A fresh start: agents nobody has met, and no deputies. */
export async function begin(world: World, agents: string[]): Promise<Model> {
  await keepAwake(world);
  await world.iam.store.run(`update iam.deputies set ended_at = 0, ended_by = 'test' where ended_at is null`);
  const made: AgentModel[] = [];
  for (const name of agents) {
    const { id } = await world.iam.api.agents.create(world.owner, { name, sponsorId: world.owner.id });
    made.push({ id, isSuspended: false, keys: [await makeKey(world, id)] });
  }
  const m: Model = { now: world.clock.now, agents: made, delegations: [], sessions: [], confirmations: [], effects: [], deputies: [] };
  // most runs would end before they had come so far by chance
  for (const step of [grant(0), assume(0)]) {
    const planned = step(m)!;
    planned.take(m, await planned.run(world));
  }
  return m;
}

/** People stay signed in and recent, and nobody has used up their tries: what those limits do is other tests' subject. */
export async function keepAwake({ iam, clock, alex, blake, owner }: World): Promise<void> {
  await iam.store.run(
    `update iam.credentials set authenticated_at = $2, last_used_at = $2, expires_at = $2::bigint + 43200000
     where kind = 'user' and revoked_at is null and identity_id = any ($1)`,
    [[alex.id, blake.id, owner.id], clock.now],
  );
  await iam.store.run('delete from iam.attempts');
}
