import type { Queryable, Tx } from '@kit/store';
import type { Plane } from '../plane.ts';
import { accessDenied } from '../refuse.ts';
import { authenticate } from '../state/authenticate.ts';
import type { SessionKind } from '../state/bearer.ts';
import { type Access, accessIn } from './access.ts';
import { listSlugs } from '../tenants/store.ts';
import { openConfirmations } from '../confirmations/store.ts';
import { type OpenedSession, openSession, type OpenSession } from '../delegations/open-session.ts';
import { findPersonOf } from '../identities/person-of.ts';
import { extraKeysOf } from './extra.ts';
import { recordMismatch, tenantOf } from './tenant-of.ts';

export interface OpenAccess {
  token: string | undefined;
  /** Default: the credential's own tenant. Another one than the caller's is refused before anything is looked up. */
  tenantId?: string;
  requestId: string;
  clientIp?: string;
  /** In a transaction with an effect: what is read is read under a shared lock, so the effect commits before a revocation returns, or not at all. */
  isEffect: boolean;
  /** Kinds of credential that are taken; a PAT only where it is named. */
  kinds?: readonly SessionKind[];
}

/** What other services of the process decide by, each in its own transaction (iam.md §8.5). */
export interface IamPort {
  open(tx: Tx, o: OpenAccess): Promise<Access>;
  /** Every tenant there is or was, with its slug: for files that name them. */
  tenants(q: Queryable): Promise<{ id: string; slug: string }[]>;
  /** The person of that id in the tenant, or the person whose delegation it is; undefined where the tenant has none of that id. */
  personOf(q: Queryable, tenantId: string, who: { identityId: string } | { delegationId: string }): Promise<string | undefined>;
  /** Which of these can still be decided or used: inside their time, under a delegation that is still live. */
  openConfirmations(q: Queryable, ids: readonly string[]): Promise<string[]>;
  /** Opens, or renews, the delegated session of a Gobare session; `NOT_FOUND` for whatever does not fit (iam.md §15.4). For the sessions service alone. */
  openSession(tx: Tx, o: OpenSession): Promise<OpenedSession>;
}

export const createPort = (plane: Plane): IamPort => ({
  tenants: listSlugs,
  personOf: findPersonOf,
  openSession: (tx, o) => openSession(plane, tx, o),
  openConfirmations: (q, ids) => openConfirmations(q, ids, plane.now()),
  async open(tx, o) {
    const principal = await authenticate(plane, tx, o.token, { isLocked: o.isEffect, ...(o.kinds ? { kinds: o.kinds } : {}) });
    const tenantId = await tenantOf(tx, principal, o.tenantId);
    if (tenantId === undefined) {
      // in a transaction of its own, and after this one: a refused caller's transaction takes its records with it
      plane.background.run(() =>
        plane.db.transaction(async (own) => recordMismatch(plane, own, principal, o.tenantId!, { action: 'access:open', requestId: o.requestId })),
      );
      throw accessDenied();
    }
    const { requestId, clientIp } = o;
    const extraKeys = plane.resolveContext && (await extraKeysOf(plane, principal, { tenantId, requestId, clientIp }));
    return accessIn(tx, { plane, principal, tenantId, requestId, clientIp, extraKeys });
  },
});
