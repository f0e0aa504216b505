import type { OperatorName, PolicyDocument, Statement } from './document.ts';
import { operators } from './operators.ts';

export interface PolicyWarning {
  readonly code: 'negated-deny-without-exists' | 'wildcard-in-resource-type';
  readonly path: string;
  readonly message: string;
}

/** Keys every decision has (`iam.md` §10.5): a negated test on them cannot be dodged by leaving them out. */
const alwaysPresent: ReadonlySet<string> = new Set([
  'principal.id',
  'principal.tenantId',
  'principal.kind',
  'principal.sessionKind',
  'principal.sessionId',
  'principal.tokenIssueTime',
  'resource.tenantId',
  'request.time',
]);

/** Valid, yet likely not what was meant (`iam.md` §10.2, §10.4): for `policies.validate`. */
export function lintPolicy(document: PolicyDocument): PolicyWarning[] {
  return document.statements.flatMap((statement, index) => [...wideTypes(statement, index), ...negatedDenies(statement, index, document.statements)]);
}

function wideTypes(statement: Statement, index: number): PolicyWarning[] {
  return statement.resources.flatMap((pattern, patternIndex) => {
    const slash = pattern.indexOf('/');
    if (pattern === '*' || !/[*?]/.test(slash < 0 ? pattern : pattern.slice(0, slash))) return [];
    const message = `${pattern} also reaches resource types of other names that begin alike; write the type and a slash`;
    return [{ code: 'wildcard-in-resource-type', path: `statements[${index}].resources[${patternIndex}]`, message } as const];
  });
}

/** A deny on a negated operator does not bite while the key is absent (`iam.md` §10.4). */
function negatedDenies(statement: Statement, index: number, statements: readonly Statement[]): PolicyWarning[] {
  if (statement.effect !== 'deny') return [];
  const conditions = statement.conditions ?? {};
  const names = (Object.keys(conditions) as OperatorName[]).filter((name) => operators[name].isNegated);
  return names.flatMap((name) =>
    Object.keys(conditions[name] ?? {})
      .filter((key) => !alwaysPresent.has(key) && !statements.some((other) => deniesAbsence(other, key, statement)))
      .map((key) => {
        const message = `this deny does not apply while ${key} is absent; add a second deny with Exists: false on it, or put the test on the allow`;
        return { code: 'negated-deny-without-exists', path: `statements[${index}].conditions.${name}[${JSON.stringify(key)}]`, message } as const;
      }),
  );
}

/** Whether `guard` denies everything `statement` is about as soon as the key is absent, and asks nothing else. */
function deniesAbsence(guard: Statement, key: string, statement: Statement): boolean {
  const conditions = guard.conditions ?? {};
  const asked = Object.values(conditions).flatMap((keys) => Object.keys(keys));
  if (guard.effect !== 'deny' || asked.length !== 1 || conditions.Exists?.[key] !== false) return false;
  return covers(guard.actions, statement.actions) && covers(guard.resources, statement.resources);
}

/** By the letter: patterns that mean the same in other words do not silence a warning. */
function covers(wide: readonly string[], narrow: readonly string[]): boolean {
  return wide.includes('*') || narrow.every((pattern) => wide.includes(pattern));
}
