import { hkdfSync } from 'node:crypto';
import type { Compute } from '@better-compute/control';
import { createCompute } from '@better-compute/control';
import { computeCatalog } from '@better-compute/contract';
import { type BetterIam, betterIam } from '@better-iam/server';
import { createRateLimiter, type AccessLine } from '@kit/http';
import type { Database } from '@kit/store';
import { invalidConfig } from '../config/invalid-config.ts';
import type { Options } from '../config/options.ts';

export type Iam = BetterIam;
export type { Compute };

export interface Services {
  iam: Iam;
  compute: Compute;
}

export interface ServiceSinks {
  access(service: string, line: AccessLine): void;
  fault(error: unknown, requestId: string): void;
}

/** A key for one purpose, from the deployment's one secret. */
export const derivedKey = (secret: string, purpose: string): string =>
  Buffer.from(hkdfSync('sha256', secret, '', `better-compute/${purpose}`, 32)).toString('base64url');

/**
 * Joins the services in one process over one database: the only place that knows two services' insides. IAM resolves
 * application resources through compute, compute decides through IAM's port, each in the other's transaction.
 */
export async function createServices(o: {
  database: Database;
  options: Options;
  publicUrl: string;
  secret: string;
  sinks: ServiceSinks;
  clientInfo(request: Request): { ip?: string };
  iam?: Iam;
}): Promise<Services> {
  const trustedOrigins = o.options.trustedOrigins ?? [new URL(o.publicUrl).origin];
  const rate = createRateLimiter(o.options.limits.requestsPerMinute);
  const iam =
    o.iam ??
    betterIam({
      database: o.database,
      secret: derivedKey(o.secret, 'iam'),
      baseURL: o.publicUrl,
      trustedOrigins,
      permissions: { actions: [], resourceTypes: {} },
    });
  // one transaction for approval and effect needs one database
  if (iam.store !== o.database) throw invalidConfig('iam must be over the database of this process', { path: 'iam' });
  await iam.initialize();
  const compute = await createCompute({
    database: o.database,
    iam: iam.port,
    platformTenantId: () => iam.rootTenantId(),
    publicUrl: o.publicUrl,
    secret: derivedKey(o.secret, 'compute'),
    trustedOrigins,
    rate,
    clientInfo: o.clientInfo,
    access: (line) => o.sinks.access('compute', line),
    fault: o.sinks.fault,
  });
  iam.connect({
    permissions: computeCatalog(),
    resolveResource: (ref) => compute.resolveResource(ref),
    host: { http: { clientInfo: o.clientInfo }, rate, access: (line) => o.sinks.access('iam', line), fault: o.sinks.fault },
  });
  return { iam, compute };
}
