import { preparsePolicySet, statefulIsAuthorized } from '@cedar-policy/cedar-wasm/nodejs';
import type { ConditionValue, PolicyDocument, Statement } from '../policy/document.ts';

/** Attributes both sides see; all of them always there, since an absent key is not of the common subset. */
export interface CedarFacts {
  readonly name: string;
  readonly team: string;
  readonly n: number;
  readonly flag: boolean;
}

/** A document of the subset of `iam.md` §10.6 in Cedar's own text. */
function cedarText(document: PolicyDocument): string {
  return document.statements.map(statementText).join('\n');
}

function statementText({ effect, actions, resources, conditions = {} }: Statement): string {
  const tests = [
    anyOf(actions.map((pattern) => like('context.actionName', pattern))),
    anyOf(resources.map((pattern) => like('context.path', pattern))),
    ...Object.entries(conditions).flatMap(([operator, keys]) =>
      Object.entries(keys).map(([key, value]) =>
        anyOf((Array.isArray(value) ? value : [value]).map((one: ConditionValue) => testText(operator, `context.${key.replace('resource.', '')}`, one))),
      ),
    ),
  ];
  return `${effect === 'allow' ? 'permit' : 'forbid'} (principal, action, resource) when { ${tests.join(' && ')} };`;
}

function testText(operator: string, left: string, value: ConditionValue): string {
  return operator === 'StringLike' ? like(left, String(value)) : `${left} == ${JSON.stringify(value)}`;
}

const like = (left: string, pattern: string): string => `${left} like ${JSON.stringify(pattern)}`;
const anyOf = (tests: readonly string[]): string => `(${tests.join(' || ')})`;

/** Cedar keeps parsed sets for good and cannot drop them, so ids are used again. */
export function prepareCedar(id: string, document: PolicyDocument): void {
  const text = cedarText(document);
  const answer = preparsePolicySet(id, { staticPolicies: text });
  if (answer.type === 'failure') throw new Error(`Cedar refuses ${text}: ${JSON.stringify(answer.errors)}`);
}

export function cedarAllows(id: string, action: string, path: string, facts: CedarFacts): boolean {
  const answer = statefulIsAuthorized({
    principal: { type: 'P', id: 'p' },
    action: { type: 'Action', id: 'a' },
    resource: { type: 'R', id: 'r' },
    context: { actionName: action, path, ...facts },
    preparsedPolicySetId: id,
    entities: [],
  });
  if (answer.type === 'failure' || answer.response.diagnostics.errors.length > 0) throw new Error(`Cedar failed: ${JSON.stringify(answer)}`);
  return answer.response.decision === 'allow';
}
