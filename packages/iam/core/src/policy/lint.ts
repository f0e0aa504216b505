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
  const guarded = new Set(document.statements.flatMap(keysDeniedWhenAbsent));
  return document.statements.flatMap((statement, index) => [...wideTypes(statement, index), ...negatedDenies(statement, index, guarded)]);
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
function negatedDenies(statement: Statement, index: number, guarded: ReadonlySet<string>): PolicyWarning[] {
  if (statement.effect !== 'deny') return [];
  const conditions = statement.conditions ?? {};
  const names = (Object.keys(conditions) as OperatorName[]).filter((name) => operators[name].isNegated);
  return names.flatMap((name) =>
    Object.keys(conditions[name] ?? {})
      .filter((key) => !alwaysPresent.has(key) && !guarded.has(key))
      .map((key) => {
        const message = `this deny does not apply while ${key} is absent; add a second deny with Exists: false on it, or put the test on the allow`;
        return { code: 'negated-deny-without-exists', path: `statements[${index}].conditions.${name}[${JSON.stringify(key)}]`, message } as const;
      }),
  );
}

function keysDeniedWhenAbsent(statement: Statement): string[] {
  if (statement.effect !== 'deny') return [];
  const keys = statement.conditions?.Exists ?? {};
  return Object.keys(keys).filter((key) => keys[key] === false);
}
