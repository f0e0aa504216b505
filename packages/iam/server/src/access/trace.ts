import { type DecidedBy, decide, type Decision, matchPattern, type ResolvedResource } from '@better-iam/core';
import type { By, Explanation, ExplainStep } from '@better-iam/contract';
import type { Plane } from '../plane.ts';
import type { Principal } from '../state/principal.ts';
import type { ExtraKeys } from './extra.ts';
import { fallenOf } from './standing.ts';

export interface TraceOf {
  plane: Plane;
  principal: Principal;
  tenantId: string;
  action: string;
  ref: { type: string; id: string };
  /** Undefined: there is none such. */
  resource: ResolvedResource | undefined;
  clientIp: string | undefined;
  extraKeys: ExtraKeys | undefined;
}

type Traced = Pick<Explanation, 'allowed' | 'reason' | 'steps'> & { remedy?: string };

const whats: Record<number, string> = {
  1: 'the credential and everything behind it is good',
  2: 'a root administrator overrides',
  3: 'the organization is active',
  4: 'it is the organization of the session',
  5: 'there is such an action',
  6: 'there is such a resource',
  7: 'nothing denies it',
  8: 'a role or policy grants it',
  9: 'every ceiling allows it',
  10: 'no delegation holds it back',
  11: 'allowed',
};

const step = (n: number, outcome: ExplainStep['outcome'], by?: By): ExplainStep => ({ step: n, what: whats[n]!, outcome, ...(by ? { by } : {}) });
const passed = (...ns: number[]): ExplainStep[] => ns.map((n) => step(n, 'passed'));

/** Every step of iam.md §12.1, from what `authorize` itself is made of (invariant 17). */
export function trace(t: TraceOf): Traced {
  const { plane, principal, tenantId, action, resource } = t;
  const denied = (steps: ExplainStep[], remedy: string, reason: Traced['reason'] = 'ACCESS_DENIED'): Traced => ({ allowed: false, reason, steps, remedy });
  const fallen = fallenOf(principal);
  if (fallen) return denied([step(1, 'refused', fallen.by)], fallen.text, 'UNAUTHENTICATED');
  if (principal.hasRootOverride) return { allowed: true, reason: 'ROOT_OVERRIDE', steps: [...passed(1), step(2, 'overridden')] };
  if (!principal.tenant.isActive)
    return denied(
      [...passed(1), step(3, 'refused', { kind: 'tenant', id: principal.tenant.id })],
      'the organization, or one above it, has to be active',
      'TENANT_INACTIVE',
    );
  if (principal.bearer.tenantId !== tenantId)
    return denied([...passed(1, 3), step(4, 'refused')], 'nobody acts in another organization than that of the session');
  if (!plane.catalog.actions.has(action)) return denied([...passed(1, 3, 4), step(5, 'refused')], `there is no action ${action}`);
  if (!resource) return denied([...passed(1, 3, 4, 5), step(6, 'refused')], `the organization has no ${t.ref.type}/${t.ref.id}`);
  const steps = passed(1, 3, 4);
  const decision = decide(
    {
      ...principal.sets,
      action,
      resource,
      holds: principal.holds,
      catalog: plane.catalog,
      context: {
        principal: principal.facts,
        request: { time: principal.now, ...(t.clientIp === undefined ? {} : { sourceIp: t.clientIp }) },
        ...(t.extraKeys ? { extra: t.extraKeys() } : {}),
      },
    },
    (one) => {
      if (one.step === 7) steps.push(step(6, 'passed'));
      steps.push(step(one.step, one.outcome, one.step === 10 && one.outcome === 'held' ? holderOf(principal, action) : byOf(one.by)));
    },
  );
  return { allowed: decision.allowed, reason: decision.reason, steps, ...(decision.allowed ? {} : { remedy: remedyOf(t, decision) }) };
}

function byOf(by: DecidedBy | undefined): By | undefined {
  if (by?.kind === undefined || by.id === undefined) return undefined;
  const { kind, id, name, sid } = by;
  return { kind, id, ...(name === undefined ? {} : { name }), ...(sid === undefined ? {} : { sid }) };
}

/** The delegation of the chain that holds the action back, and by which pattern. */
function holderOf({ delegation }: Principal, action: string): By | undefined {
  for (const link of delegation?.links ?? []) {
    const sid = link.confirm.find((pattern) => matchPattern(pattern, action));
    if (sid !== undefined) return { kind: 'delegation', id: link.id, sid };
  }
  return undefined;
}

export const nameOf = ({ kind, id, name }: By): string => `${kind.replaceAll('-', ' ')} ${name ?? id}`;

function remedyOf({ principal, action, ref }: TraceOf, { internalReason, by: decidedBy }: Decision): string {
  const by = byOf(decidedBy);
  const on = `${action} on ${ref.type}/${ref.id}`;
  const who = principal.identity.name;
  switch (internalReason) {
    case 'held':
      return `${who}, or a deputy, has to confirm it each time`;
    case 'explicit-deny':
      return `${by ? `statement ${by.sid} of ${nameOf(by)}` : 'a statement'} denies it: it would have to go, or not apply here`;
    case 'no-grant':
      return `no role of ${who} grants ${on}: bind one that does`;
    case 'boundary-deny':
      return `${by ? nameOf(by) : 'a ceiling'} does not allow ${on}: it would have to be widened`;
    default:
      return 'the policies take too many steps to evaluate: they would have to be simpler';
  }
}
