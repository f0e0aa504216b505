import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { session } from '../test-support/authenticator.ts';
import { allRefused, openWorld, PASSWORD, type Person, type World } from '../test-support/world.ts';

let world: World;
let people = 0;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(() => world.renew());
afterAll(() => world.close());

const api = () => world.iam.api;
const scopes = ['compute:pools:read'];

async function somebody(): Promise<Person> {
  const email = `p${++people}@acme.test`;
  const { id } = await api().identities.create(world.owner, { email, name: 'P', password: PASSWORD });
  return { id, token: session(await api().auth.signIn({ organization: 'acme', email, password: PASSWORD })).token };
}
const request = async (person: Person) => (await api().delegations.request({ token: world.agent.key }, { subjectId: person.id, scopes, reason: 'r' })).id;
const grant = async (person: Person) => (await api().delegations.grant(person, { agentId: world.agent.id, scopes })).id;
const statusOf = async (delegationId: string) => {
  const { status, revokedBy } = await api().delegations.get(world.owner, { delegationId });
  return [status, revokedBy];
};

type Start = [from: string, begin: (person: Person) => Promise<string>];
const starts: Start[] = [
  ['pending', request],
  ['active', grant],
];
const goings: [event: string, go: (person: Person) => Promise<unknown>][] = [
  ['the person is deleted', ({ id }) => api().identities.delete(world.owner, { identityId: id })],
  ['the agent is deleted', () => api().agents.delete(world.owner, { agentId: world.agent.id })],
  ['the person is let back in by another', ({ id }) => api().identities.reset(world.owner, { identityId: id, reason: 'lost' })],
  ['the person is let back in from the host', ({ id }) => letIn(id)],
];

async function letIn(identityId: string): Promise<void> {
  const { email } = await api().identities.get(world.owner, { identityId });
  await world.iam.breakGlass({ organization: 'acme', email: email!, reason: 'lost', hostAccount: 'operator' });
}

describe('what ends a delegation beside its people', () => {
  test.each(goings.flatMap(([event, go]) => starts.map(([from, begin]) => [from, event, begin, go] as const)))(
    'iam§14.3 %s, and %s: revoked by the system',
    async (_from, _event, begin, go) => {
      const person = await somebody();
      const id = await begin(person);
      await go(person);
      expect(await statusOf(id)).toEqual(['revoked', 'system']);
    },
  );
});

describe('revoking', () => {
  test('iam§14.3 what is still pending: by the person, the agent’s key, the sponsor and an owner', async () => {
    const sponsor = await somebody();
    await api().agents.update(world.owner, { agentId: world.agent.id, sponsorId: sponsor.id });
    const person = await somebody();
    for (const who of [person, { token: world.agent.key }, sponsor, world.owner]) {
      const delegationId = await request(person);
      expect(await api().delegations.revoke(who, { delegationId })).toMatchObject({ status: 'revoked', sessionsEnded: 0 });
      await allRefused('INVALID_TRANSITION', [api().delegations.revoke(who, { delegationId })]);
    }
  });

  test('iam§14.3 revoked is the end: no way back, and a new grant is another one', async () => {
    const person = await somebody();
    const delegationId = await grant(person);
    await api().delegations.revoke(person, { delegationId });
    await allRefused('INVALID_TRANSITION', [
      api().delegations.approve(person, { delegationId }),
      api().delegations.deny(person, { delegationId }),
      api().delegations.revoke(world.owner, { delegationId }),
    ]);
    const again = await grant(person);
    expect(again).not.toBe(delegationId);
    expect(await statusOf(delegationId)).toEqual(['revoked', person.id]);
    expect(await statusOf(again)).toEqual(['active', undefined]);
  });

  test('iam§14.3 what is active is neither approved nor denied', async () => {
    const person = await somebody();
    const delegationId = await grant(person);
    await allRefused('INVALID_TRANSITION', [api().delegations.approve(person, { delegationId }), api().delegations.deny(person, { delegationId })]);
  });
});

describe('by whom alone', () => {
  test('iam§14.3 no machine account asks for one, and no token or owner decides one', async () => {
    const service = await api().serviceAccounts.create(world.owner, { name: `svc-${++people}` });
    const { token: key } = await api().credentials.create(world.owner, { identityId: service.id, name: 'k' });
    const person = await somebody();
    await allRefused('ACCESS_DENIED', [
      api().delegations.request({ token: key }, { subjectId: person.id, scopes, reason: 'r' }),
      api().delegations.grant({ token: key }, { agentId: world.agent.id, scopes }),
    ]);
    const delegationId = await request(person);
    for (const token of [key, world.agent.key, await world.assume()])
      await allRefused('ACCESS_DENIED', [api().delegations.approve({ token }, { delegationId }), api().delegations.deny({ token }, { delegationId })]);
    const pat = await api().credentials.create(person, { identityId: person.id, kind: 'pat', name: 't', scopes: ['cli'] });
    await allRefused('UNAUTHENTICATED', [api().delegations.approve(pat, { delegationId }), api().delegations.grant(pat, { agentId: world.agent.id, scopes })]);
    await allRefused('NOT_FOUND', [api().delegations.approve(world.owner, { delegationId }), api().delegations.deny(world.owner, { delegationId })]);
    expect(await statusOf(delegationId)).toEqual(['pending', undefined]);
  });
});
