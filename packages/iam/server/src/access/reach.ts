import type { InputOf, OutputOf } from '@kit/operation';
import { type DecidedBy, matchPattern, reach, type ReachRule } from '@better-iam/core';
import type { ActionReach, By } from '@better-iam/contract';
import type { Call } from '../call.ts';
import type { OperationOf } from '../operations-by-id.ts';
import type { Plane } from '../plane.ts';
import { accessDenied, notFound } from '../refuse.ts';
import type { Principal } from '../state/principal.ts';
import { isAgent, isOwnQuestion } from './may-ask.ts';
import { findSubject } from './subject.ts';

type Reach = OperationOf<'access.reach'>;

export async function accessReach(call: Call, input: InputOf<Reach>): Promise<OutputOf<Reach>> {
  const { plane, tx, tenantId, now, principal } = call;
  if (isAgent(principal)) throw accessDenied();
  const subject = await findSubject(plane, tx, { tenantId, now }, input.as);
  if (!isOwnQuestion(principal, subject)) await call.require('iam:audit:read');
  if (!subject) throw notFound();
  return { actions: reachOf(plane, subject, input.actions) };
}

/** Per action of the catalog, on each type it is asked on. */
export function reachOf(plane: Plane, subject: Principal, patterns?: readonly string[]): ActionReach[] {
  const { catalog } = plane;
  const asked = [...catalog.actions].filter((action) => patterns === undefined || patterns.some((pattern) => matchPattern(pattern, action)));
  return asked.flatMap((action) =>
    typesOf(plane, action).map((resourceType): ActionReach => {
      const { level, by, rules } = reach({ ...subject.sets, action, resourceType, holds: subject.holds, catalog });
      const said = byOf(by);
      return { action, resourceType, reach: level, ...(said ? { by: said } : {}), rules: rules.map(ruleOf) };
    }),
  );
}

/** An action that no type lists may be asked on any. */
function typesOf({ catalog }: Plane, action: string): string[] {
  const types = Object.keys(catalog.resourceTypes).filter((type) => catalog.resourceTypes[type]!.actions?.includes(action));
  return types.length > 0 ? types : Object.keys(catalog.resourceTypes);
}

/** No grant at all has no document to point at. */
function byOf(by: DecidedBy | undefined): By | undefined {
  if (by?.kind === undefined || by.id === undefined) return undefined;
  const { kind, id, name, sid } = by;
  return { kind, id, ...(name === undefined ? {} : { name }), ...(sid === undefined ? {} : { sid }) };
}

function ruleOf({ effect, by, resources, conditions }: ReachRule): ActionReach['rules'][number] {
  const said = byOf(by);
  return {
    effect,
    ...(said ? { by: said } : {}),
    resources: [...resources],
    ...(conditions ? { conditions: conditions as Record<string, Record<string, unknown>> } : {}),
  };
}
