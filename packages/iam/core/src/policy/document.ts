export const operatorNames = [
  'StringEquals',
  'StringNotEquals',
  'StringEqualsIgnoreCase',
  'StringNotEqualsIgnoreCase',
  'StringLike',
  'StringNotLike',
  'StringLikeIgnoreCase',
  'Bool',
  'NumericEquals',
  'NumericNotEquals',
  'NumericLessThan',
  'NumericLessThanEquals',
  'NumericGreaterThan',
  'NumericGreaterThanEquals',
  'DateBefore',
  'DateAfter',
  'IpAddress',
  'NotIpAddress',
  'ArrayContains',
  'ArrayContainsAll',
  'Exists',
] as const;
/** `iam.md` §10.4. */
export type OperatorName = (typeof operatorNames)[number];

export type ConditionValue = string | number | boolean;
export type Conditions = { readonly [Operator in OperatorName]?: Readonly<Record<string, ConditionValue | readonly ConditionValue[]>> };

/** `iam.md` §10.1. */
export interface Statement {
  readonly sid?: string;
  readonly effect: 'allow' | 'deny';
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly conditions?: Conditions;
}

/** `iam.md` §10.1, as `parsePolicy` returns it: checked, copied and frozen. */
export interface PolicyDocument {
  readonly version: 1;
  readonly statements: readonly Statement[];
}
