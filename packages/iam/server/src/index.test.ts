import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '@kit/store/testing';
import type { Database } from '@kit/store';
import * as server from './index.ts';
import { createAuthenticator } from './test-support/authenticator.ts';

let database: Database;
/** Session of the platform's administrator, who is made in the first test that needs one. */
let token: string;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const options = () => ({ database, secret: 'x'.repeat(32), baseURL: 'https://iam.example.com', permissions: { actions: [], resourceTypes: {} } });

describe('betterIam', () => {
  test('iam§1 is what the package is for, and all of it that is a value beside the name of its events', () => {
    expect(Object.keys(server).sort()).toEqual(['betterIam', 'confirmationTopic']);
  });

  test('iam§8.2 an instance has the members hosts rely on', async () => {
    const iam = server.betterIam(options());
    expect(Object.keys(iam).sort()).toEqual(
      [
        'api',
        'authenticate',
        'authorize',
        'authorizeMany',
        'bootstrap',
        'breakGlass',
        'close',
        'connect',
        'endpoint',
        'events',
        'handler',
        'initialize',
        'listAccessible',
        'nodeHandler',
        'port',
        'require',
        'rootTenantId',
        'store',
      ].sort(),
    );
    expect(typeof iam.api.delegations.getConfirmation).toBe('function');
    expect(iam.endpoint).toEqual({ origin: 'https://iam.example.com', basePath: '/api/iam', cookie: { name: '__Host-better-iam.session', isSecure: true } });
    const local = server.betterIam({ ...options(), baseURL: 'http://127.0.0.1:7070/', basePath: '/identity' });
    expect(local.endpoint).toEqual({ origin: 'http://127.0.0.1:7070', basePath: '/identity', cookie: { name: 'better-iam.session', isSecure: false } });
    await local.close();
    await iam.initialize();
    expect(await iam.rootTenantId()).toBeUndefined();
    await iam.close();
  });

  test('iam§8.2 a setting that would show late is INVALID_CONFIG, naming it', () => {
    const bad = [
      ['secret', { secret: 'short' }],
      ['baseURL', { baseURL: 'http://iam.example.com' }],
      ['baseURL', { baseURL: 'iam.example.com' }],
      ['basePath', { basePath: 'api/iam' }],
      ['trustedOrigins', { trustedOrigins: ['https://a.example/path'] }],
      ['permissions.resourceTypes["book"].parent', { permissions: { actions: [], resourceTypes: { shelf: {}, book: { managed: true, parent: 'shelf' } } } }],
      ['permissions.actions[0]', { permissions: { actions: ['iam:mine:read'], resourceTypes: {} } }],
    ] as const;
    for (const [path, setting] of bad)
      expect(() => server.betterIam({ ...options(), ...setting })).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG', details: { path } }));
    server.betterIam({ ...options(), baseURL: 'http://127.0.0.1:7070' });
  });

  test('iam§9.2 without a resolver a question about the application’s resources is RESOURCE_RESOLVER_REQUIRED', async () => {
    const iam = server.betterIam({ ...options(), permissions: { actions: ['app:things:read'], resourceTypes: { thing: {} } } });
    await iam.initialize();
    const { tenantId } = await iam.bootstrap({ email: 'a@b.test', name: 'A', password: 'a long password' });
    ({ token } = await createAuthenticator(iam, Date.now).signIn({ tenantId, email: 'a@b.test', password: 'a long password' }));
    await expect(iam.authorize({ token, tenantId, action: 'app:things:read', resource: { type: 'thing', id: 'x' } })).rejects.toMatchObject({
      code: 'RESOURCE_RESOLVER_REQUIRED',
      status: 400,
    });
    await iam.close();
  });

  test('iam§9.2 a resolver that answers for something else is RESOURCE_MISMATCH, one that throws fails the decision', async () => {
    let answer: () => { tenantId: string; type: string; id: string; attributes: {} } = () => {
      throw new Error('down');
    };
    const iam = server.betterIam({
      ...options(),
      permissions: { actions: ['app:things:read'], resourceTypes: { thing: {} } },
      resolveResource: () => answer(),
    });
    await iam.initialize();
    const tenantId = (await iam.rootTenantId())!;
    const ask = () => iam.authorize({ token, tenantId, action: 'app:things:read', resource: { type: 'thing', id: 'x' } });
    await expect(ask()).rejects.toThrow('down');
    for (const other of [{ tenantId: 'tnt_other' }, { type: 'other' }, { id: 'y' }]) {
      answer = () => ({ tenantId, type: 'thing', id: 'x', attributes: {}, ...other });
      await expect(ask()).rejects.toMatchObject({ code: 'RESOURCE_MISMATCH', status: 403 });
    }
    await iam.close();
  });
});
