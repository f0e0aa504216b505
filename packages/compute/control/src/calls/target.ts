import type { Charge, Payer } from '../budgets/charge.ts';
import type { DraftPlan, EffectHandler, Found } from '../handler.ts';
import type { Access, JsonValue, ResolvedResource } from '../iam-port.ts';
import { mintId } from '../ids.ts';
import type { Scope } from '../plane.ts';
import { notFound } from '../refuse.ts';
import { objects } from '../resources/objects.ts';
import { typeOf } from '../resources/type-name.ts';
import type { Call } from './call.ts';
import type { DraftRow } from './draft-store.ts';
import { likeForm } from './like.ts';
import { plainCard } from './plain-card.ts';
import { mayRead } from './refusals.ts';

/** What the decision is on, and what the effect is given. */
export interface Target {
  resource: ResolvedResource;
  /** Whoever may not read this is told NOT_FOUND. */
  about: Found;
  row: unknown;
  frozen: JsonValue;
  isDraft: boolean;
  /** What a person read, or would read, of the draft is no longer what it would do. */
  isOutdated?: boolean;
  /** What it takes of budgets. */
  charge?: { payer: Payer; amounts: Charge } | undefined;
}

type AnyEffect = EffectHandler<any, any>;

/** Resolves the object, or makes the draft in memory: nothing is stored before the decision (iam.md §18 rule 1). Throws NOT_FOUND. */
export const targetOf = (scope: Scope, call: Call, draft: DraftRow | undefined): Promise<Target> =>
  call.op.on?.kind === 'draft' ? draftTarget(scope, call, draft) : objectTarget(scope, call);

async function draftTarget(scope: Scope, call: Call, draft: DraftRow | undefined): Promise<Target> {
  const handler = call.handler as AnyEffect;
  const about = await handler.about!(scope, call.input);
  if (!about) throw notFound();
  const plan = planOf(scope, about, () => handler.draft!(scope, call.input, about.row));
  // a draft that is known stays as it was read and approved, whatever has changed since
  const isKnown = draft?.resource != null && draft.state !== 'closed';
  const resource: ResolvedResource = isKnown
    ? draft.resource!
    : {
        tenantId: scope.tenantId,
        type: typeOf(scope.plane, (call.op.on as { type: 'reservation' }).type),
        id: mintId('drf'),
        ownerId: plan.ownerId,
        attributes: plan.attributes,
        ...(mayBeHeld(scope.access)
          ? {
              confirmation: {
                ...plan.card(),
                binding: { operation: call.op.id, input: call.canonical, frozen: plan.frozen },
                likeness: likenessOf(call, plan),
              },
            }
          : {}),
      };
  return {
    resource,
    about,
    row: undefined,
    frozen: isKnown ? draft.frozen : plan.frozen,
    isDraft: true,
    isOutdated: isKnown && handler.isAsRead?.(draft.frozen, about.row) === false,
    charge: chargeOf(scope, plan, isKnown ? draft : undefined),
  };
}

const likenessOf = ({ op, canonical }: Call, plan?: DraftPlan): JsonValue => ({ operation: op.id, like: likeForm(plan?.whole ?? canonical) });

/** A draft that is known takes what was kept for it. */
function chargeOf({ access }: Scope, plan: DraftPlan, draft: DraftRow | undefined): Target['charge'] {
  const amounts = draft ? draft.charge : plan.charge;
  return amounts ? { payer: { ownerId: draft?.ownerId ?? plan.ownerId, delegationId: access.caller.delegationId ?? null }, amounts } : undefined;
}

/** Why a request cannot be is told to whoever may read what it is about. */
function planOf(scope: Scope, about: Found, make: () => DraftPlan): DraftPlan {
  try {
    return make();
  } catch (error) {
    throw mayRead(scope, about) ? error : notFound();
  }
}

/** Only a delegation holds anything back: for everybody else no card is made. */
export const mayBeHeld = ({ caller }: Access): boolean => caller.delegationId !== undefined;

/** Which object: the one the input names, the tenant of the call, or the fleet there is one of. */
function objectOf({ op, input }: Call, { tenantId }: Scope): { type: string; id: string } {
  const on = op.on as { kind: 'object'; type: string; id(input: unknown): string } | { kind: 'tenant' } | { kind: 'fleet' };
  if (on.kind === 'tenant') return { type: 'tenant', id: tenantId };
  return on.kind === 'fleet' ? { type: 'fleet', id: 'global' } : { type: on.type, id: on.id(input) };
}

async function objectTarget(scope: Scope, call: Call): Promise<Target> {
  const { type, id } = objectOf(call, scope);
  const handler = call.handler as AnyEffect;
  const found = await (handler.about ? handler.about(scope, call.input) : objects[type]!(scope, id));
  if (!found) throw notFound();
  const attributes = handler.attributes?.(call.input);
  const about = attributes ? { ...found, resource: { ...found.resource, attributes: { ...found.resource.attributes, ...attributes } } } : found;
  if (!mayBeHeld(scope.access)) return { resource: about.resource, about, row: about.row, frozen: null, isDraft: false };
  const card = handler.card?.(about.row, call.input) ?? plainCard(call.op, id, call.canonical);
  const confirmation = { ...card, binding: { operation: call.op.id, input: call.canonical }, likeness: likenessOf(call) };
  return { resource: { ...about.resource, confirmation }, about, row: about.row, frozen: null, isDraft: false };
}
