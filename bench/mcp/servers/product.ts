import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbedded } from '@kit/store';
import { OptionsSchema } from '../../../apps/better-compute/src/config/options.ts';
import { shippedHost } from '../../../apps/better-compute/src/dev/shipped-config.ts';
import { createLog } from '../../../apps/better-compute/src/host/log.ts';
import { startPlane } from '../../../apps/better-compute/src/host/plane.ts';
import type { Serving } from '../served.ts';
import { pools } from './pools.ts';

/** The whole product as `serve` runs it: listener, access log, gate, IAM and compute over a durable PostgreSQL; an agent acts for a person. */
export async function serveProduct(): Promise<Serving> {
  const dataDir = mkdtempSync(join(tmpdir(), 'better-compute-bench-mcp-'));
  const database = await openEmbedded({ dataDir, poolMax: 10 });
  const options = OptionsSchema.parse({
    listen: { port: 0 },
    limits: { requestsPerMinute: 1_000_000_000 },
    mcp: { maxConcurrentCallsPerCaller: 64 },
    drainSeconds: 0,
  });
  const log = createLog({ level: 'info', format: 'json' });
  const plane = await startPlane({ options, database, secret: 'a secret of the measurements, longer than 32 characters', log });
  const { iam, compute } = plane;
  const password = 'correct horse battery';
  const owner = { email: 'owner@acme.test', name: 'Owner', password };
  const root = await iam.bootstrap({ email: 'root@platform.test', name: 'Root', password, organization: { name: 'acme', slug: 'acme', owner } });
  const { tenantId, ownerId } = root.organization!;
  const { token = '' } = await iam.api.auth.signIn({ organization: 'acme', email: owner.email, password });
  const alice = { token };
  const { id, name, kind, placement, labels, defaults, limits } = pools.items[0]!;
  await compute.putPool({ id, name, kind: kind as 'gpu', placement: placement as 'direct', labels, defaults, limits, tenants: 'all' });
  const agent = await iam.api.agents.create(alice, { name: 'bot', sponsorId: ownerId, model: 'm', provider: 'p', maxDelegatedSessionSeconds: 43_200 });
  const key = await iam.api.credentials.create(alice, { identityId: agent.id, name: 'key' });
  const delegation = await iam.api.delegations.grant(alice, {
    agentId: agent.id,
    scopes: ['compute:pools:read', 'compute:reservations:*'],
    confirm: ['compute:reservations:create'],
    maxSessionSeconds: 43_200,
  });
  const session = await iam.api.delegations.assume({ token: key.token }, { delegationId: delegation.id, durationSeconds: 43_200 });
  await plane.mount(shippedHost({ publicUrl: plane.publicUrl, demoTenantId: tenantId, options }));
  plane.open();
  const close = async () => {
    await plane.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { port: Number(new URL(plane.url).port), path: '/mcp', token: session.token, tool: 'list_pools', close };
}
