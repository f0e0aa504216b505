import { type CredentialInput, type Operation, parseWith } from '@kit/operation';
import { type NodeHandler, nodeHandlerOf } from '@kit/http';
import type { Database, OutboxEvent } from '@kit/store';
import { matchPattern } from '@better-iam/core';
import { type BootstrapInput, type BreakGlassInput, type CheckResult, type Decision, iamService, type ManagedResource } from '@better-iam/contract';
import { requireAllowed } from './access/authorize.ts';
import { createPort, type IamPort } from './access/port.ts';
import { createApi, type IamApi, inProcess } from './api.ts';
import { cookieName } from './auth/cookie.ts';
import { type Authenticated, authenticated } from './authenticated.ts';
import { createSignals } from './confirmations/signals.ts';
import { createHandlers } from './handlers.ts';
import { createIamHandler } from './handler.ts';
import { invoke } from './invoke.ts';
import { operationsById } from './operations-by-id.ts';
import { breakGlass } from './lock-out/break-glass.ts';
import { type BetterIamOptions, checkOptions } from './options.ts';
import { type Application, createPlane } from './plane.ts';
import { tokenOf } from './presented.ts';
import type { SessionKind } from './state/bearer.ts';
import { bootstrap, type Bootstrapped } from './tenants/bootstrap.ts';
import { findRoot } from './tenants/store.ts';

/** iam.md §8.3. */
export type AuthorizeRequest = CredentialInput & { tenantId: string; action: string; resource: { type: string; id: string }; consume?: boolean };
export type AuthorizeManyRequest = CredentialInput & { tenantId: string; checks: { action: string; resource: { type: string; id: string } }[] };
export type ListAccessibleRequest = CredentialInput & { tenantId: string; action: string; type: string; limit?: number; offset?: number };

/** An IAM over one database (iam.md §8.2). Everything but `handler`, `authorize*`, `require`, `authenticate` and `api` acts with the deployment's authority. */
export interface BetterIam {
  readonly api: IamApi;
  /** Decides; a held action spends a matching approval unless `consume` is false. */
  authorize(request: AuthorizeRequest): Promise<Decision>;
  /** Up to 50 checks; advice, spends and files nothing. */
  authorizeMany(request: AuthorizeManyRequest): Promise<{ results: CheckResult[] }>;
  /** The resources of a managed type that the caller may do this on, by id; advice. */
  listAccessible(request: ListAccessibleRequest): Promise<{ items: ManagedResource[]; nextOffset: number | null }>;
  /** As `authorize`; refuses with `ACCESS_DENIED`, `CONFIRMATION_REQUIRED` or, for what cannot be resolved, `NOT_FOUND`. */
  require(request: AuthorizeRequest): Promise<void>;
  /** Who presents this; 401 `UNAUTHENTICATED`. A PAT is taken only where `kinds` names it. */
  authenticate(credential: CredentialInput, o?: { kinds?: readonly SessionKind[] }): Promise<Authenticated>;
  /** Takes on an application of the same process, such as compute: its actions and types, resolved by it. Before the first decision. */
  connect(application: Application & { host?: Pick<BetterIamOptions, 'access' | 'fault' | 'rate' | 'http'> }): void;
  /** `POST {basePath}/{group}/{method}`. */
  handler(request: Request): Promise<Response>;
  /** The same for `createServer` of node:http. */
  readonly nodeHandler: NodeHandler;
  /** Where `handler` belongs, and the cookie it keeps a browser's session in. */
  readonly endpoint: { readonly origin: string; readonly basePath: string; readonly cookie: { readonly name: string; readonly isSecure: boolean } };
  /** Brings the database's schema up to date; once, before anything else. */
  initialize(): Promise<void>;
  /** The root tenant and its first owner, and on wish a first organization; a second call is `CONFLICT`. */
  bootstrap(input: BootstrapInput): Promise<Bootstrapped>;
  /** A one-time code for a person nobody is left to let in (iam.md §3.5): 15 min, recorded in their organization and in the root. */
  breakGlass(input: BreakGlassInput): Promise<{ codeId: string; code: string; expiresAt: number }>;
  rootTenantId(): Promise<string | undefined>;
  /** For services of the same process: decisions in their own transactions (iam.md §8.5). */
  readonly port: IamPort;
  readonly events: { subscribe(patterns: readonly string[], fn: (event: OutboxEvent) => void): () => void };
  readonly store: Database;
  /** Waits for what runs beside the calls, and stops listening. The database stays open. */
  close(): Promise<void>;
}

/** Throws `INVALID_CONFIG` naming the setting. */
export function betterIam(options: BetterIamOptions): BetterIam {
  checkOptions(options);
  const plane = createPlane(options);
  const signals = createSignals(plane.db);
  const handlers = createHandlers(signals);
  let handler = createIamHandler(plane, handlers, options);
  const ask = async (op: Operation, credential: CredentialInput, input: unknown): Promise<unknown> =>
    await invoke(plane, op, handlers[op.id as 'authorize'], tokenOf(credential), input, inProcess());

  return {
    api: createApi(plane, handlers, signals),
    authorize: async ({ token, headers, ...input }) => (await ask(operationsById.authorize, credentialOf(token, headers), input)) as Decision,
    authorizeMany: async ({ token, headers, ...input }) =>
      (await ask(operationsById.authorizeMany, credentialOf(token, headers), input)) as { results: CheckResult[] },
    listAccessible: async ({ token, headers, ...input }) =>
      (await ask(operationsById.listAccessible, credentialOf(token, headers), input)) as { items: ManagedResource[]; nextOffset: number | null },
    require: async ({ token, headers, ...input }) => {
      const parsed = parseWith(operationsById.authorize.input, input) as Omit<AuthorizeRequest, keyof CredentialInput>;
      await requireAllowed(plane, tokenOf(credentialOf(token, headers)), parsed, inProcess());
    },
    authenticate: async (credential, o) => await authenticated(plane, credential, o?.kinds),
    connect: ({ host, ...application }) => {
      plane.connect(application);
      // what the instance was made with stands; the host adds what only it can know
      handler = createIamHandler(plane, handlers, { ...host, ...options });
    },
    handler: (request) => handler(request),
    nodeHandler: nodeHandlerOf((request) => handler(request)),
    endpoint: {
      origin: plane.origin,
      basePath: options.basePath ?? iamService.basePath,
      cookie: { name: cookieName(plane.isSecure), isSecure: plane.isSecure },
    },
    initialize: () => plane.db.migrate({ schema: 'iam', directory: new URL('../migrations', import.meta.url) }),
    bootstrap: (input) => bootstrap(plane, input),
    breakGlass: (input) => breakGlass(plane, input),
    rootTenantId: async () => (await findRoot(plane.db))?.id,
    port: createPort(plane),
    events: {
      subscribe: (patterns, fn) =>
        plane.db.subscribe((event) => {
          if (event.topic.startsWith('iam.') && patterns.some((pattern) => matchPattern(pattern, event.topic))) fn(event);
        }),
    },
    store: plane.db,
    close: async () => {
      signals.close();
      await plane.background.settled();
    },
  };
}

const credentialOf = (token: string | undefined, headers: CredentialInput['headers']): CredentialInput => ({
  ...(token === undefined ? {} : { token }),
  ...(headers === undefined ? {} : { headers }),
});
