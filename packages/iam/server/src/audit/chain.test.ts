import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allRefused, openWorld, type World } from '../test-support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
  await world.renew();
});
afterAll(() => world.close());

const api = () => world.iam.api.audit;
const sql = (text: string, values: unknown[] = []) => world.iam.store.run(text, values);

describe('the audit chain', () => {
  test('iam§22 every event follows the one before, from 1, without gaps, and the first from 64 zeros', async () => {
    const { items, nextAfter } = await api().export(world.owner, {});
    expect(nextAfter).toBeNull();
    expect(items.map((e) => e.sequence)).toEqual(items.map((_, i) => i + 1));
    expect(items[0]?.previousHash).toBe('0'.repeat(64));
    items.slice(1).forEach((event, i) => expect(event.previousHash).toBe(items[i]!.hash));
    expect(await api().verify(world.owner)).toMatchObject({ ok: true, events: items.length, hash: items.at(-1)!.hash });
  });

  test('iam§22 events of one transaction, of one tenant or several, are chained in their order and written with it or not at all', async () => {
    const { iam, owner, stranger } = world;
    const before = (await api().export(owner, {})).items.length;
    const record = (fault?: Error) =>
      iam.store.transaction(async (tx) => {
        const own = await iam.port.open(tx, { token: owner.token, requestId: 'test', isEffect: true });
        const other = await iam.port.open(tx, { token: stranger.token, requestId: 'test', isEffect: true });
        for (const n of [1, 2, 3]) {
          await own.audit({ action: 'test:own', resourceId: String(n), outcome: 'allow' });
          await other.audit({ action: 'test:other', resourceId: String(n), outcome: 'allow', metadata: { n } });
        }
        if (fault) throw fault;
      });
    await expect(record(new Error('mine'))).rejects.toThrow('mine');
    // two at once from each side: neither waits for a head while it holds the other
    await Promise.all([record(), record(), record(), record()]);
    const { items } = await api().export(owner, {});
    expect(items.slice(before).map((event) => event.resourceId)).toEqual(['1', '2', '3', '1', '2', '3', '1', '2', '3', '1', '2', '3']);
    expect((await api().list(stranger, { action: 'test:other' })).items.map((event) => event.metadata)).toHaveLength(12);
    for (const who of [owner, stranger]) expect(await api().verify(who)).toMatchObject({ ok: true });
    expect((await api().list(owner, { action: 'test:other' })).items).toEqual([]);
  });

  test('iam§22 reading it needs iam:audit:read', async () => {
    await allRefused('ACCESS_DENIED', [api().list(world.alex, {}), api().export(world.alex, {}), api().verify(world.alex)]);
  });

  test('iam§22 each tenant has a chain of its own', async () => {
    const { items } = await api().export(world.stranger, {});
    expect(items.every((event) => event.tenantId === world.stranger.tenantId)).toBe(true);
    expect(items[0]?.sequence).toBe(1);
  });

  test('iam§22 pages follow each other, forwards by sequence and backwards from the newest', async () => {
    const all = (await api().export(world.owner, {})).items;
    const first = await api().export(world.owner, { limit: 2 });
    expect(first).toMatchObject({ items: all.slice(0, 2), nextAfter: 2 });
    expect((await api().export(world.owner, { limit: 2, afterSequence: 2 })).items).toEqual(all.slice(2, 4));
    const newest = await api().list(world.owner, { limit: 2 });
    expect(newest.items.map((e) => e.sequence)).toEqual([all.length, all.length - 1]);
    expect(newest.nextBefore).toBe(all.length - 1);
    expect((await api().list(world.owner, { action: 'delegation:*' })).items.every((e) => e.action.startsWith('delegation:'))).toBe(true);
    for (const limit of [0, 1001]) await expect(api().list(world.owner, { limit })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('iam§22 verify names what was done to it', async () => {
    const tenant = [world.tenantId];
    const verdict = async (change: string, undo: string) => {
      await sql(change, tenant);
      const answer = await api().verify(world.owner);
      await sql(undo, tenant);
      return answer;
    };
    expect(
      await verdict(
        `update iam.audit_events set outcome = 'deny' where tenant_id = $1 and sequence = 3`,
        `update iam.audit_events set outcome = 'allow' where tenant_id = $1 and sequence = 3`,
      ),
    ).toMatchObject({ ok: false, failure: 'hash-mismatch', sequence: 3 });
    expect(
      await verdict(
        'update iam.audit_events set sequence = 100000 where tenant_id = $1 and sequence = 2',
        'update iam.audit_events set sequence = 2 where tenant_id = $1 and sequence = 100000',
      ),
    ).toMatchObject({ ok: false, failure: 'sequence-gap', sequence: 3 });
    expect(
      await verdict(
        'update iam.audit_events set sequence = 100000 where tenant_id = $1 and sequence = 1',
        'update iam.audit_events set sequence = 1 where tenant_id = $1 and sequence = 100000',
      ),
    ).toMatchObject({ ok: false, failure: 'missing-prefix', sequence: 2 });
    expect(
      await verdict(
        `update iam.audit_heads set hash = reverse(hash) where tenant_id = $1`,
        `update iam.audit_heads set hash = reverse(hash) where tenant_id = $1`,
      ),
    ).toMatchObject({ ok: false, failure: 'head-mismatch' });
    await sql(
      'create table iam.kept as select * from iam.audit_events where tenant_id = $1 and sequence = (select max(sequence) from iam.audit_events where tenant_id = $1)',
      tenant,
    );
    expect(
      await verdict(
        'delete from iam.audit_events where id in (select id from iam.kept where tenant_id = $1)',
        'insert into iam.audit_events select * from iam.kept where tenant_id = $1',
      ),
    ).toMatchObject({ ok: false, failure: 'head-mismatch' });
    expect(await api().verify(world.owner)).toMatchObject({ ok: true });
  });

  test('iam§22 who did it: in a delegated session the person, with agent, delegation and key beside', async () => {
    const token = await world.assume();
    await world.iam.authorize({ token, tenantId: world.tenantId, action: 'compute:nodes:reboot', resource: { type: 'compute-node', id: 'none' } });
    expect((await api().list(world.owner, { outcome: 'deny' })).items[0]).toMatchObject({
      actorId: world.alex.id,
      action: 'compute:nodes:reboot',
      sessionContext: {
        kind: 'delegated',
        agentId: world.agent.id,
        delegationId: world.delegationId,
        credentialId: world.agent.keyId,
        sessionId: expect.stringMatching(/^ses_/),
      },
      metadata: { resourceType: 'compute-node', internalReason: 'UNRESOLVED', requestId: expect.any(String) },
    });
  });

  test('iam§25 a change and its event come together: the named ones are there after the world was made', async () => {
    const actions = new Set((await api().export(world.owner, {})).items.map((e) => e.action));
    for (const action of [
      'auth:session:create',
      'iam:roles:create',
      'iam:identities:create',
      'iam:bindings:create',
      'agent:create',
      'credential:create',
      'delegation:grant',
      'delegation:assume',
    ])
      expect(actions).toContain(action);
  });
});
