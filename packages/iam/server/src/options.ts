import type { AccessLine, RateLimiter } from '@kit/http';
import type { Database, Queryable } from '@kit/store';
import type { ContextValue, ResolvedResource, ResourceTypeSpec } from '@better-iam/core';
import type { Caller } from './access/caller.ts';
import { limits } from './limits.ts';
import { refuse } from './refuse.ts';

export interface ResourceQuestion {
  tenantId: string;
  type: string;
  id: string;
}

/** For whom, and where, condition keys are asked. */
export interface ContextQuestion {
  caller: Caller;
  /** Where it will be decided. */
  tenantId: string;
  requestId: string;
  /** As far as the deployment vouches for it. */
  clientIp?: string;
}

/** iam.md §8.2. */
export interface BetterIamOptions {
  database: Database;
  /** At least 32 characters. */
  secret: string;
  /** https, or http on loopback. */
  baseURL: string;
  basePath?: string;
  /** Origins whose pages may call; default: the one of `baseURL`. */
  trustedOrigins?: readonly string[];
  permissions: { actions: readonly string[]; resourceTypes: Readonly<Record<string, ResourceTypeSpec>> };
  /**
   * The application's resources (iam.md §9.2). Undefined = there is none such in that tenant. Asked in the midst of a transaction, for a Gobare session
   * (iam.md §15.4), it is handed that to read in.
   */
  resolveResource?(ref: ResourceQuestion, q?: Queryable): Promise<ResolvedResource | undefined> | ResolvedResource | undefined;
  /**
   * Condition keys of the deployment's own, such as `app.region`, for policies to test: never one beginning with principal., resource. or request. (iam.md
   * §10.5). Asked once for each call, within its transaction where it has one, so answer from memory. Where it throws, or answers a key that is not its
   * own, every decision of that call fails.
   */
  resolveContext?(question: ContextQuestion): Promise<Readonly<Record<string, ContextValue>> | undefined> | Readonly<Record<string, ContextValue>> | undefined;
  http?: { clientInfo?(request: Request): { ip?: string; userAgent?: string } };
  now?: () => number;
  rate?: RateLimiter;
  access?(line: AccessLine): void;
  /** Faults of ours, never refusals. */
  fault?(error: unknown, requestId: string): void;
}

const invalid = (setting: string, message: string) => refuse('INVALID_CONFIG', `${setting} ${message}`, { details: { path: setting } });

const isLoopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);

/** Checks what would otherwise show late or never: a short secret, an address without protection. Throws `INVALID_CONFIG` naming the setting. */
export function checkOptions(o: BetterIamOptions): void {
  if (typeof o.secret !== 'string' || o.secret.length < limits.secretMinLength)
    throw invalid('secret', `must have at least ${limits.secretMinLength} characters`);
  if (!URL.canParse(o.baseURL)) throw invalid('baseURL', 'must be an address');
  const url = new URL(o.baseURL);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) throw invalid('baseURL', 'must be https, or http on loopback');
  if (o.basePath !== undefined && !/^(\/[A-Za-z0-9_-]+)+$/.test(o.basePath)) throw invalid('basePath', 'must be a path such as /api/iam');
  for (const origin of o.trustedOrigins ?? [])
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) throw invalid('trustedOrigins', `has ${origin}, which is no origin`);
}
