import { type Asking, thing } from './asking.ts';
import { type Answered, post } from './http.ts';
import { HOUR, MINUTE, PASSWORD } from './world.ts';

const statement = { effect: 'allow', actions: ['compute:*'], resources: ['*'] };

/** Every code that can be reached, and each rule when it is given: by real requests alone. */
export const refusals: [code: string, status: number, when: string, ask: (a: Asking) => Promise<Answered>][] = [
  ['UNAUTHENTICATED', 401, 'no credential', (a) => a.send('sts/getCallerIdentity')],
  ['UNAUTHENTICATED', 401, 'a malformed one', (a) => a.send('sts/getCallerIdentity', undefined, {}, { authorization: 'Basic YTpi' })],
  [
    'UNAUTHENTICATED',
    401,
    'an expired one',
    async (a) => {
      a.world.clock.pass(13 * HOUR);
      return a.alex('sts/getCallerIdentity');
    },
  ],
  [
    'UNAUTHENTICATED',
    401,
    'a revoked one',
    async (a) => {
      await a.alex('auth/signOut');
      return a.alex('sts/getCallerIdentity');
    },
  ],
  [
    'UNAUTHENTICATED',
    401,
    'a dead delegation behind it',
    async (a) => {
      const token = await a.world.assume();
      await a.alex('delegations/revoke', { delegationId: a.world.delegationId });
      return a.send('sts/getCallerIdentity', token);
    },
  ],
  [
    'UNAUTHENTICATED',
    401,
    'an agent not in good standing',
    async (a) => {
      await a.owner('agents/suspend', { agentId: a.world.agent.id });
      return a.agent('sts/getCallerIdentity');
    },
  ],
  ['INVALID_CREDENTIALS', 401, 'a wrong password', (a) => a.signIn({ password: 'not the right one' })],
  [
    'INVALID_MFA',
    401,
    'a wrong code of a second factor',
    async (a) => {
      await a.alex('auth/beginMfa');
      return a.alex('auth/confirmMfa', { code: '000000' });
    },
  ],
  ['INVALID_CHALLENGE', 401, 'a challenge nobody was given', (a) => a.send('auth/verifyMfa', undefined, { challenge: 'x'.repeat(43), code: '000000' })],
  ['ACCESS_DENIED', 403, 'the decision was no, on what may be read', (a) => a.alex('roles/create', { name: 'mine' })],
  ['ACCESS_DENIED', 403, 'the wrong kind of credential', (a) => a.agent('delegations/grant', { agentId: a.world.agent.id, scopes: ['compute:*'] })],
  [
    'CONFIRMATION_REQUIRED',
    403,
    'held and otherwise allowed',
    async (a) => {
      const { data } = await a.owner('delegations/grant', { agentId: a.world.agent.id, scopes: ['iam:*'], confirm: ['iam:roles:*'] });
      const session = await a.agent('delegations/assume', { delegationId: data.id });
      return a.send('roles/list', session.data.token);
    },
  ],
  [
    'MFA_REQUIRED',
    403,
    'a factor to be proved before it is replaced',
    async (a) => {
      const email = `f-${a.world.clock.now}@acme.test`;
      const { id } = await a.world.iam.api.identities.create(a.world.owner, { email, name: 'F', password: PASSWORD });
      const { token } = await a.world.authenticator.signIn({ organization: 'acme', email, password: PASSWORD });
      a.world.authenticator.keep(email, (await a.send('auth/beginMfa', token)).data.secret);
      const confirmed = await a.send('auth/confirmMfa', token, { code: a.world.authenticator.code(email) });
      await a.world.iam.store.run('update iam.credentials set mfa = false where identity_id = $1', [id]);
      return a.send('auth/beginMfa', confirmed.data.token);
    },
  ],
  [
    'RECENT_AUTH_REQUIRED',
    403,
    'a sign-in of more than five minutes ago',
    async (a) => {
      const id = await a.agentId();
      a.world.clock.pass(5 * MINUTE);
      return a.alex('delegations/grant', { agentId: id, scopes: ['compute:*'] });
    },
  ],
  [
    'DELEGATION_INACTIVE',
    403,
    'the delegation has ended',
    async (a) => {
      await a.alex('delegations/revoke', { delegationId: a.world.delegationId });
      return a.agent('delegations/assume', { delegationId: a.world.delegationId });
    },
  ],
  [
    'DELEGATION_NOT_ALLOWED',
    403,
    'the agent is not delegable',
    async (a) => {
      await a.owner('agents/update', { agentId: a.world.agent.id, delegable: false });
      return a.agent('delegations/assume', { delegationId: a.world.delegationId });
    },
  ],
  [
    'DELEGATION_NOT_ALLOWED',
    403,
    'no hand-off was permitted',
    async (a) => a.send('delegations/handoff', await a.world.assume(), { agentId: await a.agentId(), scopes: ['compute:*'] }),
  ],
  ['TENANT_INACTIVE', 403, 'the organization is not active', (a) => a.suspended(() => a.alex('sts/getCallerIdentity'))],
  ['TENANT_UNAVAILABLE', 403, 'the same at sign-in', (a) => a.suspended(() => a.signIn())],
  [
    'RESOURCE_MISMATCH',
    403,
    'the resolver answered for another',
    (a) =>
      a.withResolver({ resolveResource: (ref) => ({ ...ref, id: 'another', attributes: {} }) }, (iam) => post(iam, 'authorize', a.world.alex.token, thing)),
  ],
  [
    'PROTECTED_RESOURCE',
    403,
    'the Owner role',
    async (a) => {
      const { items } = (await a.owner('roles/list', { limit: 200 })).data;
      return a.owner('roles/delete', { roleId: items.find((one: { name: string }) => one.name === 'Owner').id });
    },
  ],
  ['CSRF_REJECTED', 403, 'no bearer and no X-Better-IAM', (a) => a.send('auth/signIn', undefined, {}, { 'x-better-iam': '' })],
  [
    'UNTRUSTED_ORIGIN',
    403,
    'an origin that is not trusted',
    (a) => a.send('sts/getCallerIdentity', a.world.alex.token, {}, { origin: 'https://evil.example' }),
  ],
  ['NOT_FOUND', 404, 'absent', (a) => a.owner('policies/get', { policyId: 'pol_AAAAAAAAAAAAAAAAAAAAAA' })],
  ['CONFLICT', 409, 'a name that is taken', async (a) => a.owner('roles/create', { name: (await a.role()).name })],
  [
    'VERSION_CONFLICT',
    409,
    'a stale version',
    async (a) => {
      const { id, version } = await a.role();
      return a.owner('roles/update', { roleId: id, version: version + 1, name: 'newer' });
    },
  ],
  [
    'RESOURCE_IN_USE',
    409,
    'in use',
    async (a) => {
      const { id } = await a.role();
      await a.owner('bindings/create', { roleId: id, identityId: a.world.blake.id });
      return a.owner('roles/delete', { roleId: id });
    },
  ],
  [
    'LIMIT_EXCEEDED',
    409,
    'one more than may be',
    async (a) => {
      const deputy = { deputyId: a.world.blake.id, endsAt: a.world.clock.now + HOUR };
      for (let i = 0; i < 3; i++) await a.alex('delegations/setDeputy', deputy);
      return a.alex('delegations/setDeputy', deputy);
    },
  ],
  [
    'INVALID_TRANSITION',
    409,
    'already revoked',
    async (a) => {
      await a.alex('delegations/revoke', { delegationId: a.world.delegationId });
      return a.alex('delegations/revoke', { delegationId: a.world.delegationId });
    },
  ],
  ['DELEGATION_EXISTS', 409, 'the pair is linked', (a) => a.alex('delegations/grant', { agentId: a.world.agent.id, scopes: ['compute:*'] })],
  [
    'DELEGATION_PENDING',
    409,
    'not decided yet',
    async (a) => {
      const { data } = await a.agent('delegations/request', { subjectId: a.world.blake.id, scopes: ['compute:*'], reason: 'r' });
      return a.agent('delegations/assume', { delegationId: data.id });
    },
  ],
  [
    'INVALID_IDENTITY',
    409,
    'an agent that cannot be used',
    async (a) => {
      const id = await a.agentId();
      await a.owner('agents/suspend', { agentId: id });
      return a.alex('delegations/grant', { agentId: id, scopes: ['compute:*'] });
    },
  ],
  ['INVALID_SPONSOR', 409, 'a sponsor who is no person', (a) => a.owner('agents/create', { name: 'x', sponsorId: a.world.agent.id })],
  ['PAYLOAD_TOO_LARGE', 413, 'more than 64 KiB', (a) => a.alex('sts/getCallerIdentity', { pad: 'x'.repeat(65_536) })],
  [
    'RATE_LIMITED',
    429,
    'too often',
    async (a) => {
      for (let i = 0; i < 10; i++) await a.signIn({ email: 'nobody@acme.test' });
      return a.signIn({ email: 'nobody@acme.test' });
    },
  ],
  ['INVALID_INPUT', 400, 'a member of the wrong form', (a) => a.owner('roles/create', { name: 7 })],
  [
    'INVALID_POLICY',
    400,
    'a document that is none',
    (a) => a.owner('policies/create', { name: 'p', document: { version: 1, statements: [{ ...statement, x: 1 }] } }),
  ],
  [
    'INVALID_ACTION',
    400,
    'an action nobody knows',
    (a) => a.owner('policies/create', { name: 'p', document: { version: 1, statements: [{ ...statement, actions: ['compute:unknown:thing'] }] } }),
  ],
  ['INVALID_RESOURCE_TYPE', 400, 'a type IAM does not keep', (a) => a.alex('listAccessible', { action: 'compute:pools:read', type: 'compute-pool' })],
  ['INVALID_REQUEST', 400, 'a body that is no JSON', (a) => a.alex('sts/getCallerIdentity', '{"a":')],
  [
    'INVALID_REQUEST',
    415,
    'a bearer with another content type',
    (a) => a.send('sts/getCallerIdentity', a.world.alex.token, '{}', { 'content-type': 'text/plain' }),
  ],
  [
    'CREDENTIAL_CHAINING_DISABLED',
    400,
    'minting from a temporary credential',
    async (a) => a.send('credentials/create', await a.world.assume(), { identityId: a.world.agent.id, name: 'k' }),
  ],
  [
    'RESOURCE_RESOLVER_REQUIRED',
    400,
    'no resolver for an application type',
    (a) => a.withResolver({}, (iam) => post(iam, 'authorize', a.world.alex.token, thing)),
  ],
];
