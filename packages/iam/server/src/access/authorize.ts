import type { InputOf, OutputOf } from '@kit/operation';
import { actorOf } from '../audit/actor.ts';
import { appendEvent } from '../audit/append.ts';
import type { Transport } from '../call.ts';
import { authenticateCaller } from '../identified.ts';
import type { OperationOf } from '../operations-by-id.ts';
import type { Plane } from '../plane.ts';
import { accessDenied, notFound, refuse } from '../refuse.ts';
import { authenticate } from '../state/authenticate.ts';
import type { Principal } from '../state/principal.ts';
import { accessIn, decisionOf, type PortDecision } from './access.ts';
import { extraKeysOf } from './extra.ts';
import { resolve } from './resolve.ts';
import { recordMismatch, tenantOf } from './tenant-of.ts';

type Authorize = OperationOf<'authorize'>;
const denied: PortDecision = { allowed: false, reason: 'ACCESS_DENIED', matched: [] };

/** A decision, and inside the process whether there was anything to decide on. */
interface Asked extends PortDecision {
  isUnresolved?: true;
}

/** iam.md §12. */
export async function authorize(plane: Plane, token: string | undefined, input: InputOf<Authorize>, transport: Transport): Promise<OutputOf<Authorize>> {
  return told(await ask(plane, token, input, transport));
}

/** As `authorize`, refusing with its reason; what cannot be resolved is `NOT_FOUND` (iam.md §9.2, §12.4). */
export async function requireAllowed(plane: Plane, token: string | undefined, input: InputOf<Authorize>, transport: Transport): Promise<void> {
  const decision = await ask(plane, token, input, transport);
  if (decision.allowed) return;
  if (decision.isUnresolved) throw notFound();
  throw decision.reason === 'CONFIRMATION_REQUIRED'
    ? refuse('CONFIRMATION_REQUIRED', 'the delegation holds this back: ask the person to confirm it')
    : accessDenied();
}

/**
 * An allow touches nothing. What spends an approval or leaves a record is decided once more in a transaction, where the approval is spent under a shared
 * lock.
 */
async function ask(plane: Plane, token: string | undefined, input: InputOf<Authorize>, transport: Transport): Promise<Asked> {
  const { action } = input;
  const { requestId, clientIp } = transport;
  const principal = await authenticateCaller(plane, token, transport);
  const tenantId = await tenantOf(plane.db, principal, input.tenantId);
  if (tenantId === undefined) {
    await plane.db.transaction(async (tx) => recordMismatch(plane, tx, principal, input.tenantId!, { action, requestId }));
    return denied;
  }
  if (!plane.catalog.actions.has(action)) return await recordDenial(plane, principal, tenantId, input, requestId, 'UNKNOWN_ACTION');
  const resource = await resolve(plane, tenantId, input.resource);
  if (!resource && !principal.hasRootOverride)
    return { ...(await recordDenial(plane, principal, tenantId, input, requestId, 'UNRESOLVED')), isUnresolved: true };
  const asked = resource ?? { tenantId, ...input.resource, attributes: {} };
  const extraKeys = await extraKeysOf(plane, principal, { tenantId, requestId, clientIp });
  if (!principal.hasRootOverride) {
    const decision = decisionOf({ plane, principal, tenantId, clientIp, extraKeys }, action, asked);
    if (decision.allowed || (decision.held && input.consume === false)) return { ...decision, matched: [...decision.matched] };
  }
  return await plane.db.transaction(async (tx) => {
    const again = await authenticate(plane, tx, token, { isLocked: true });
    const access = accessIn(tx, { plane, principal: again, tenantId, requestId, clientIp, extraKeys });
    const advice = input.consume === false ? access.check(action, asked) : undefined;
    return advice?.reason === 'CONFIRMATION_REQUIRED' ? advice : await access.decide(action, asked);
  });
}

const told = ({ allowed, reason, matched }: PortDecision): PortDecision => ({ allowed, reason, matched });

async function recordDenial(
  plane: Plane,
  p: Principal,
  tenantId: string,
  input: InputOf<Authorize>,
  requestId: string,
  internalReason: string,
): Promise<Asked> {
  const metadata = { resourceType: input.resource.type, requestId, internalReason };
  await plane.db.transaction(async (tx) =>
    appendEvent(plane, tx, tenantId, actorOf(p), { action: input.action, resourceId: input.resource.id, outcome: 'deny', metadata }),
  );
  return denied;
}
