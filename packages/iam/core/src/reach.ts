import type { Catalog } from './catalog.ts';
import { type HoldList, isHeld } from './holds.ts';
import type { Conditions } from './policy/document.ts';
import type { DecidedBy, PolicySets } from './policy/evaluate.ts';
import type { Rule, RuleEntry } from './policy/rules.ts';
import type { CompiledSet } from './policy/set.ts';

/** `held`: what it would otherwise be, sometimes or always, once a person has confirmed it. */
export type ReachLevel = 'never' | 'conditional' | 'held' | 'always';

/** A statement that has a say, as it was written. */
export interface ReachRule {
  readonly effect: 'allow' | 'deny';
  readonly by: DecidedBy;
  readonly resources: readonly string[];
  readonly conditions?: Conditions;
}

export interface Reach {
  readonly level: ReachLevel;
  /** Of `never`: what makes it so, a statement or the set that is silent. */
  readonly by?: DecidedBy;
  /** Of the others: the statements it depends on; empty when nothing is left to ask. */
  readonly rules: readonly ReachRule[];
}

export interface ReachAsk extends PolicySets {
  readonly action: string;
  readonly resourceType: string;
  readonly holds: readonly HoldList[];
  readonly catalog: Catalog;
}

/**
 * What these documents let happen to any resource of a type at any time (`iam.md` §12.6), from the very rules `decide` asks. `never` and `always` are
 * certain; `conditional` depends on the resource, the session or the request, and may in the end be never.
 */
export function reach(ask: ReachAsk): Reach {
  const { action, resourceType, catalog } = ask;
  if (!catalog.actions.has(action)) return { level: 'never', rules: [] };
  const sets = [ask.grants, ...ask.ceilings];
  const entries = sets.map((set) => set.rulesFor(action, resourceType));
  const never = neverBecause(sets, entries);
  if (never) return { level: 'never', rules: [], ...(never === 'over-limit' ? {} : { by: never }) };
  const rules = entries.flatMap((entry, place) => [
    ...entry.denies.map((rule) => ruleOf(place, rule, 'deny')),
    ...(entry.allows.some(isCertain) ? [] : entry.allows.map((rule) => ruleOf(place, rule, 'allow'))),
  ]);
  if (isHeld(ask.holds, action)) return { level: 'held', rules };
  return { level: rules.length === 0 ? 'always' : 'conditional', rules };
}

const isCertain = (rule: Rule): boolean => rule.tests.length === 0;

/** In the order of `decide`: a deny without a question, no grant, a silent ceiling. */
function neverBecause(sets: readonly CompiledSet[], entries: readonly RuleEntry[]): DecidedBy | 'over-limit' | undefined {
  if (entries.some((entry) => entry.isOverLimit)) return 'over-limit';
  for (const [place, entry] of entries.entries()) {
    const denying = entry.denies.find(isCertain);
    if (denying) return decidedBy(place, denying);
  }
  const silent = entries.findIndex((entry) => entry.allows.length === 0);
  if (silent < 0) return undefined;
  const source = silent === 0 ? undefined : sets[silent]?.sources[0];
  return {
    set: silent === 0 ? 'grants' : silent - 1,
    ...(source ? { kind: source.kind, id: source.id, ...(source.name === undefined ? {} : { name: source.name }) } : {}),
  };
}

function decidedBy(place: number, { statement }: Rule): DecidedBy {
  const { kind, id, name } = statement.source;
  return { set: place === 0 ? 'grants' : place - 1, kind, id, ...(name === undefined ? {} : { name }), sid: statement.sid };
}

function ruleOf(place: number, rule: Rule, effect: ReachRule['effect']): ReachRule {
  const { resources, conditions } = rule.statement.written;
  return { effect, by: decidedBy(place, rule), resources, ...(conditions === undefined ? {} : { conditions }) };
}
