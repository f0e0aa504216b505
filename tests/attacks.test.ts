import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import type { Queryable } from '@kit/store';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createIamClient } from '@better-iam/client';
import { createMcpGate } from '@better-iam/mcp';
import { computeMcpEndpoint, gateTools, remoteMcpIam } from 'better-compute/mcp';
import { codeOf, compute, iam, tool } from './support/attacker.ts';
import { startDeployment, type Deployment } from './support/deployment.ts';

let d: Deployment;
beforeAll(async () => {
  d = await startDeployment();
  await mount(d);
});
afterAll(() => d.stop());

const mount = (on: Deployment): Promise<void> =>
  on.mount(({ iam: own, compute: plane }) => {
    const gate = createMcpGate({ iam: own, tenantId: on.alice.tenantId, tools: gateTools(), unlisted: 'deny', confirmations: false });
    return { mcp: { path: '/mcp', handler: computeMcpEndpoint({ compute: plane, gate, maxWaitMs: 0 }).handler } };
  });

let keys = 0;
const newKey = () => `attack-${++keys}`;
const wish = (gpus: number, idempotencyKey = newKey()) => ({ poolId: d.poolId, requests: [{ class: 'gpu', count: gpus }], duration: '1h', idempotencyKey });
const reserve = (token: string, gpus: number, key?: string) => compute(d, 'reservations/create', token, wish(gpus, key));
const decide = (token: string, confirmationId: string, more: object = {}) =>
  iam(d, 'delegations/decideConfirmation', token, { confirmationId, approve: true, ...more });

/** A held request: its confirmation and its key. */
async function held(token: string, gpus: number, on = d): Promise<{ id: string; key: string }> {
  const key = newKey();
  const { body } = await compute(on, 'reservations/create', token, wish(gpus, key));
  expect(body.error.code).toBe('CONFIRMATION_REQUIRED');
  return { id: body.error.details.confirmationId, key };
}

async function agentOf(name: string): Promise<{ id: string; key: string }> {
  const { id } = (await iam(d, 'agents/create', d.alice.token, { name, sponsorId: d.alice.identityId })).body.data;
  return { id, key: (await iam(d, 'credentials/create', d.alice.token, { identityId: id, name: 'key' })).body.data.token };
}

describe('confused deputy', () => {
  test('issue3 iam§14.1 an agent’s own rights, however wide, add nothing to what it does for a person', async () => {
    const role = (await iam(d, 'roles/create', d.alice.token, { name: 'everything', permissions: ['*'] })).body.data;
    await iam(d, 'bindings/create', d.alice.token, { roleId: role.id, identityId: d.agent.id });
    const question = { action: 'compute:fleet:admin', resource: { type: 'compute-tenant', id: d.alice.tenantId } };
    const may = async (token: string) => (await iam(d, 'authorize', token, { tenantId: d.alice.tenantId, ...question })).body.data.allowed;
    expect([await may(d.agent.key), await may(d.agentToken)]).toEqual([true, false]);
    expect(codeOf(await compute(d, 'nodeTokens/create', d.agentToken, { poolId: d.poolId }))).toBe('ACCESS_DENIED');
  });

  test('issue3 iam§20 a gate over the network has no credential of its own to lend', async () => {
    for (const o of [{ token: d.alice.token }, { headers: { Authorization: `Bearer ${d.alice.token}` } }])
      expect(() => remoteMcpIam(createIamClient({ baseURL: d.plane.url, ...o }))).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
    const remote = remoteMcpIam(createIamClient({ baseURL: d.plane.url }));
    await expect(remote.authenticate({})).rejects.toMatchObject({ status: 401 });
  });

  test('issue3 iam§5 naming another organization lends nothing of it, and leaves no trace there', async () => {
    const { tenantId } = d.mallory;
    const trail = async () => (await iam(d, 'audit/list', d.mallory.token, { limit: 200 })).body.data.items.length;
    const before = await trail();
    for (const answer of [
      await compute(d, 'pools/list', d.agentToken, { tenantId }),
      await compute(d, 'reservations/create', d.agentToken, { ...wish(1), tenantId }),
      await iam(d, 'delegations/get', d.agentToken, { tenantId, delegationId: d.delegationId }),
    ])
      expect(codeOf(answer)).toBe('ACCESS_DENIED');
    const asked = { tenantId, action: 'compute:pools:read', resource: { type: 'compute-pool', id: d.poolId } };
    expect((await iam(d, 'authorize', d.agentToken, asked)).body.data).toMatchObject({ allowed: false, reason: 'ACCESS_DENIED' });
    expect(await trail()).toBe(before);
  });

  test('iam§8.3 a stranger at the endpoint of an organization is let in and may do nothing', async () => {
    const answer = await tool(d, d.mallory.token, 'reserve_gpus', { poolId: d.poolId, gpus: 1, duration: '1h' });
    expect(answer.body.result).toMatchObject({ isError: true, structuredContent: { error: { code: 'ACCESS_DENIED' } } });
  });
});

describe('an approval is for what was read', () => {
  test('issue3 iam§17.4 iam§18 replayed with other arguments: the key refuses, a new key is another request, and the approval stays unspent', async () => {
    const { id, key } = await held(d.agentToken, 1);
    await decide(d.alice.token, id);
    expect(codeOf(await reserve(d.agentToken, 8, key))).toBe('CONFLICT');
    const other = await reserve(d.agentToken, 8);
    expect(codeOf(other)).toBe('CONFIRMATION_REQUIRED');
    expect(other.body.error.details.confirmationId).not.toBe(id);
    const status = async () => (await iam(d, 'delegations/getConfirmation', d.alice.token, { confirmationId: id })).body.data.status;
    expect(await status()).toBe('approved');
    expect((await reserve(d.agentToken, 1, key)).body.data.reservation.state).toBe('active');
    expect(await status()).toBe('used');
    expect(codeOf(await reserve(d.agentToken, 1))).toBe('CONFIRMATION_REQUIRED');
  });

  test('issue3 iam§16 what the parent was approved a hand-off does not get, nor the reverse', async () => {
    const [first, second] = [await agentOf('first'), await agentOf('second')];
    const terms = { scopes: ['compute:*'], confirm: ['compute:reservations:create'] };
    const parent = (await iam(d, 'delegations/grant', d.alice.token, { agentId: first.id, ...terms, handoff: { depth: 1 } })).body.data;
    const above = (await iam(d, 'delegations/assume', first.key, { delegationId: parent.id })).body.data.token;
    const child = (await iam(d, 'delegations/handoff', above, { agentId: second.id, scopes: ['compute:*'] })).body.data;
    const below = (await iam(d, 'delegations/assume', second.key, { delegationId: child.id })).body.data.token;
    for (const [asking, other] of [
      [above, below],
      [below, above],
    ] as const) {
      const { id, key } = await held(asking, 1);
      await decide(d.alice.token, id);
      expect(codeOf(await reserve(other, 1, key))).toBe('CONFIRMATION_REQUIRED');
      expect((await reserve(asking, 1, key)).body.data.reservation.state).toBe('active');
    }
  });

  test('issue3 iam§17.3 a confirm list of * hides and holds, reads included, and the gate files nothing of its own', async () => {
    const wild = await startDeployment({ confirm: ['*'] });
    try {
      await mount(wild);
      const read = await tool(wild, wild.agentToken, 'describe_pool', { poolId: wild.poolId });
      expect(read.body.result).toMatchObject({ isError: true, structuredContent: { error: { code: 'ACCESS_DENIED' } } });
      const pending = async () => (await iam(wild, 'delegations/listConfirmations', wild.alice.token, {})).body.data.items;
      expect(await pending()).toEqual([]);
      expect(codeOf(await compute(wild, 'pools/get', wild.agentToken, { poolId: wild.poolId }))).toBe('CONFIRMATION_REQUIRED');
      expect(await pending()).toMatchObject([{ action: 'compute:pools:read', filedBy: 'service', status: 'pending' }]);
      // an approval of the read is spent by the read, not by the look of the gate
      await iam(wild, 'delegations/decideConfirmation', wild.alice.token, { confirmationId: (await pending())[0].id, approve: true });
      await tool(wild, wild.agentToken, 'describe_pool', { poolId: wild.poolId });
      expect(await pending()).toMatchObject([{ status: 'approved' }]);
    } finally {
      await wild.stop();
    }
  });
});

describe('who approves', () => {
  test('issue3 iam§17.6 another organization’s owner: refused in the person’s tenant, and in their own told as of an unknown one', async () => {
    const { id } = await held(d.agentToken, 2);
    const unknown = await decide(d.mallory.token, 'cnf_AAAAAAAAAAAAAAAAAAAAAA');
    expect(codeOf(await decide(d.mallory.token, id, { tenantId: d.alice.tenantId }))).toBe('ACCESS_DENIED');
    const own = await decide(d.mallory.token, id);
    expect([own.status, own.body.error]).toEqual([404, unknown.body.error]);
    expect(codeOf(await decide(d.agentToken, id))).toBe('ACCESS_DENIED');
    expect(codeOf(await decide(d.agent.key, id))).toBe('ACCESS_DENIED');
    expect(codeOf(await decide(d.admin.token, id, { tenantId: d.alice.tenantId }))).toBe('ACCESS_DENIED');
    expect((await iam(d, 'delegations/getConfirmation', d.alice.token, { confirmationId: id })).body.data.status).toBe('pending');
  });

  test('issue3 iam§17.10 a deputy decides until ended, and nothing after; nor once the delegation is revoked', async () => {
    const password = 'correct horse battery';
    const { id: deputyId } = (await iam(d, 'identities/create', d.alice.token, { email: 'bob@acme.test', name: 'Bob', password })).body.data;
    const bob = (await iam(d, 'auth/signIn', undefined, { organization: 'acme', email: 'bob@acme.test', password })).body.data.token;
    const agent = await agentOf('third');
    const terms = { agentId: agent.id, scopes: ['compute:*'], confirm: ['compute:reservations:create'] };
    const { id: delegationId } = (await iam(d, 'delegations/grant', d.alice.token, terms)).body.data;
    const session = (await iam(d, 'delegations/assume', agent.key, { delegationId })).body.data.token;
    const [first, second, third] = [await held(session, 1), await held(session, 2), await held(session, 3)];
    expect(codeOf(await decide(bob, first.id))).toBe('NOT_FOUND');
    const name = async () => (await iam(d, 'delegations/setDeputy', d.alice.token, { deputyId, endsAt: Date.now() + 3_600_000 })).body.data.id;
    const record = await name();
    expect((await decide(bob, first.id)).body.data).toMatchObject({ status: 'approved', decidedBy: deputyId, deputyId: record });
    await iam(d, 'delegations/endDeputy', d.alice.token, { deputyId: record });
    expect(codeOf(await decide(bob, second.id))).toBe('NOT_FOUND');
    await name();
    await iam(d, 'delegations/revoke', d.alice.token, { delegationId });
    expect(codeOf(await decide(bob, third.id))).toBe('DELEGATION_INACTIVE');
    expect(codeOf(await reserve(session, 1, first.key))).toBe('UNAUTHENTICATED');
  });
});

describe('nothing tells what exists', () => {
  /** The same answer but for what says which request it was. */
  const shown = async (answer: Promise<{ status: number; body: any }>) => {
    const { status, body } = await answer;
    return JSON.stringify([status, body]);
  };

  test('issue3 iam§2 iam§12.2 an id of another organization, an unknown one and one of no form are answered alike, in IAM', async () => {
    const { id: confirmationId } = await held(d.agentToken, 4);
    const theirs = [
      ['delegations/get', 'delegationId', d.delegationId, 'dlg_AAAAAAAAAAAAAAAAAAAAAA'],
      ['delegations/revoke', 'delegationId', d.delegationId, 'dlg_AAAAAAAAAAAAAAAAAAAAAA'],
      ['delegations/getConfirmation', 'confirmationId', confirmationId, 'cnf_AAAAAAAAAAAAAAAAAAAAAA'],
      ['agents/get', 'agentId', d.agent.id, 'agent_AAAAAAAAAAAAAAAAAAAAAA'],
      ['agents/suspend', 'agentId', d.agent.id, 'agent_AAAAAAAAAAAAAAAAAAAAAA'],
      ['identities/get', 'identityId', d.alice.identityId, 'usr_AAAAAAAAAAAAAAAAAAAAAA'],
    ] as const;
    for (const [method, member, foreign, unknown] of theirs) {
      const answers = await Promise.all([foreign, unknown, 'no such form'].map((id) => shown(iam(d, method, d.mallory.token, { [member]: id }))));
      expect([method, ...new Set(answers)]).toHaveLength(2);
      expect(answers[0]).toContain('NOT_FOUND');
    }
  });

  test('issue3 iam§12.2 compute§2 the same in compute and at the gate', async () => {
    const { reservation } = (await reserve(d.alice.token, 1)).body.data;
    const get = (reservationId: string) => shown(compute(d, 'reservations/get', d.mallory.token, { reservationId }));
    expect(await get(reservation.id)).toBe(await get(`${reservation.id.slice(0, -1)}${reservation.id.endsWith('A') ? 'B' : 'A'}`));
    const atGate = async (poolId: string) => (await tool(d, d.mallory.token, 'describe_pool', { poolId })).text;
    expect(await atGate(d.poolId)).toBe(await atGate('pool_none'));
  });

  test('issue3 iam§3.4 an unknown organization, an unknown address and a wrong password are one answer', async () => {
    const signIn = (organization: string, email: string) => shown(iam(d, 'auth/signIn', undefined, { organization, email, password: 'wrong horse battery' }));
    const answers = [await signIn('nowhere', 'alice@acme.test'), await signIn('acme', 'nobody@acme.test'), await signIn('acme', 'alice@acme.test')];
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain('INVALID_CREDENTIALS');
  });

  test('issue3 iam§25 a foreign id costs the same look-ups as an unknown one, so that time tells nothing either', async () => {
    const { reservation } = (await reserve(d.alice.token, 1)).body.data;
    const { id: confirmationId } = await held(d.agentToken, 5);
    // just signed in: that a session was used is noted once a minute, and so not between two of these
    const who = { organization: 'evil', email: d.mallory.email, password: d.mallory.password };
    const token: string = (await iam(d, 'auth/signIn', undefined, who)).body.data.token;
    const calls: [(id: string) => Promise<unknown>, string, string][] = [
      [(reservationId) => compute(d, 'reservations/get', token, { reservationId }), reservation.id, `rsv_${'A'.repeat(22)}`],
      [(id) => iam(d, 'delegations/getConfirmation', token, { confirmationId: id }), confirmationId, `cnf_${'A'.repeat(22)}`],
      [(delegationId) => iam(d, 'delegations/get', token, { delegationId }), d.delegationId, `dlg_${'A'.repeat(22)}`],
    ];
    for (const [ask, foreign, unknown] of calls) {
      await ask(unknown);
      const statements = (id: string) => statementsOf(token, () => Promise.all([ask(id), compute(d, 'pools/list', d.alice.token)]));
      expect(await statements(foreign)).toEqual(await statements(unknown));
    }
  });
});

/** Whose request the running code answers: nodes beat and loops sweep meanwhile, and theirs are not counted. */
const caller = new AsyncLocalStorage<string | undefined>();
const onRequest = (message: unknown): void => caller.enterWith((message as { request: IncomingMessage }).request.headers.authorization);
beforeAll(() => subscribe('http.server.request.start', onRequest));
afterAll(() => void unsubscribe('http.server.request.start', onRequest));

/** What was asked of the database for requests with a token. */
async function statementsOf(token: string, work: () => Promise<unknown>): Promise<string[]> {
  const { database } = d.plane;
  const texts: string[] = [];
  const note = (text: string): void => {
    if (caller.getStore() === `Bearer ${token}`) texts.push(text);
  };
  const watched = <Q extends Queryable>(q: Q): Q =>
    new Proxy(q, {
      get(target, name) {
        const member = Reflect.get(target, name) as unknown;
        if (name !== 'rows' && name !== 'one' && name !== 'run') return member;
        return (text: string, values?: readonly unknown[]) => {
          note(text);
          return (member as (text: string, values?: readonly unknown[]) => unknown).call(target, text, values);
        };
      },
    });
  const { transaction } = database;
  const spies = [
    vi.spyOn(database, 'transaction').mockImplementation((fn, o) => transaction((tx) => fn(watched(tx)), o)),
    ...(['rows', 'one', 'run'] as const).map((name) => {
      const own = database[name] as (text: string, values?: readonly unknown[]) => Promise<never>;
      return vi.spyOn(database, name).mockImplementation((text: string, values?: readonly unknown[]) => {
        note(text);
        return own(text, values);
      });
    }),
  ];
  try {
    await work();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  expect(texts.length).toBeGreaterThan(0);
  return texts;
}
