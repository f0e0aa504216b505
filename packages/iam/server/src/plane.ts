import { createHmac, randomBytes, randomInt } from 'node:crypto';
import { type Database, idBytes } from '@kit/store';
import { type Catalog, createCatalog, hashToken, type IdPrefix, mintId, mintToken, type TokenKind } from '@better-iam/core';
import { iamActions } from '@better-iam/contract';
import type { BetterIamOptions } from './options.ts';
import { createBackground, type Background } from './background.ts';
import { createSeal, type Seal } from './sealed.ts';
import { spokenCode } from './spoken-code.ts';
import { createStateCache, type StateCache } from './state/cache.ts';

/** What every part of the server is handed: no part reaches for a clock, a random number or a connection of its own. */
export interface Plane {
  readonly db: Database;
  readonly now: () => number;
  readonly catalog: Catalog;
  readonly states: StateCache;
  readonly background: Background;
  readonly resolveResource: BetterIamOptions['resolveResource'];
  readonly resolveContext: BetterIamOptions['resolveContext'];
  /** Takes on an application of the same process: its actions and types, resolved by it. Before the first decision. */
  connect(application: Application): void;
  /** Cookies are `Secure` and `__Host-` on https. */
  readonly isSecure: boolean;
  /** Address of this deployment, such as `https://compute.example.com`. */
  readonly origin: string;
  /** For second factors' secrets, by the person's id. */
  readonly factorSeal: Seal;
  newId(prefix: IdPrefix): string;
  /** A fresh secret and the only form of it that is kept. */
  newToken(kind: TokenKind): { token: string; hash: Buffer };
  /** A secret that is no credential, such as a challenge, and the only form of it that is kept. */
  newSecret(): { secret: string; hash: Buffer };
  /** A secret of 20 bytes for an authenticator app. */
  newFactor(): Uint8Array;
  /** A code for people, `XXXX-XXXX` and so on; kept only blinded. */
  newSpokenCode(groups: number): string;
  /** Keyed digest of something that must not be readable in a table, such as an address somebody tried to sign in with. */
  blind(text: string): string;
}

export interface Application {
  permissions: BetterIamOptions['permissions'];
  resolveResource: NonNullable<BetterIamOptions['resolveResource']>;
}

export function createPlane(o: BetterIamOptions): Plane {
  let { permissions, resolveResource } = o;
  let catalog = createCatalog({ ...permissions, iamActions });
  return {
    get catalog() {
      return catalog;
    },
    get resolveResource() {
      return resolveResource;
    },
    connect(application) {
      const own = resolveResource;
      permissions = {
        actions: [...new Set([...permissions.actions, ...application.permissions.actions])],
        resourceTypes: { ...permissions.resourceTypes, ...application.permissions.resourceTypes },
      };
      catalog = createCatalog({ ...permissions, iamActions });
      resolveResource = (ref, q) => (Object.hasOwn(application.permissions.resourceTypes, ref.type) ? application.resolveResource(ref, q) : own?.(ref, q));
    },
    resolveContext: o.resolveContext,
    db: o.database,
    now: o.now ?? Date.now,
    states: createStateCache(),
    background: createBackground((error) => o.fault?.(error, 'background')),
    isSecure: new URL(o.baseURL).protocol === 'https:',
    origin: new URL(o.baseURL).origin,
    factorSeal: createSeal(o.secret, 'factor'),
    newId: (prefix) => mintId(prefix, idBytes(16)),
    newToken: (kind) => {
      const token = mintToken(kind, randomBytes(32));
      return { token, hash: hashToken(token) };
    },
    newSecret: () => {
      const secret = randomBytes(32).toString('base64url');
      return { secret, hash: hashToken(secret) };
    },
    newFactor: () => randomBytes(20),
    newSpokenCode: (groups) => spokenCode(groups, randomInt),
    blind: (text) => createHmac('sha256', o.secret).update(text).digest('base64url'),
  };
}
