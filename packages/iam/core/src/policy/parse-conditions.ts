import { isPlainObject } from '../json.ts';
import { limits } from '../limits.ts';
import { textProblem } from '../text.ts';
import { isContextKey } from './context-key.ts';
import { type Conditions, type ConditionValue, type OperatorName, operatorNames } from './document.ts';
import { operators } from './operators.ts';
import { memberPath, readList, readObject, refusePolicy } from './read-json.ts';

type Keys = Readonly<Record<string, ConditionValue | readonly ConditionValue[]>>;

/** `{ [operator]: { [contextKey]: value | value[] } }` of `iam.md` §10.1, with the value types and caps of §10.4. */
export function parseConditions(json: unknown, path: string): Conditions {
  const byOperator = readObject(json, path, operatorNames);
  const conditions: { [Operator in OperatorName]?: Keys } = {};
  for (const name of operatorNames) {
    if (Object.hasOwn(byOperator, name)) conditions[name] = parseKeys(byOperator[name], name, memberPath(path, name));
  }
  return Object.freeze(conditions);
}

function parseKeys(json: unknown, name: OperatorName, path: string): Keys {
  if (!isPlainObject(json)) refusePolicy(path, 'must be an object of context keys');
  const keys = Object.keys(json);
  // An operator without keys would hold always, which nobody means.
  if (keys.length < 1 || keys.length > limits.conditionKeysMax) refusePolicy(path, `must have 1 to ${limits.conditionKeysMax} keys`);
  const parsed: Record<string, ConditionValue | readonly ConditionValue[]> = {};
  for (const key of keys) {
    const keyPath = `${path}[${JSON.stringify(key)}]`;
    if (!isContextKey(key)) refusePolicy(keyPath, 'is no context key');
    const value = json[key];
    parsed[key] = Array.isArray(value)
      ? Object.freeze(readList(value, keyPath, limits.conditionValuesMax).map((element, index) => parseValue(element, name, `${keyPath}[${index}]`)))
      : parseValue(value, name, keyPath);
  }
  return Object.freeze(parsed);
}

function parseValue(value: unknown, name: OperatorName, path: string): ConditionValue {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') refusePolicy(path, `must be ${operators[name].expects}`);
  if (typeof value === 'string' && textProblem(value, { max: limits.conditionStringLengthMax }) !== undefined) {
    refusePolicy(path, `must have at most ${limits.conditionStringLengthMax} characters, without control, direction or invisible ones`);
  }
  if (!operators[name].accepts(value)) refusePolicy(path, `must be ${operators[name].expects}`);
  return value;
}
