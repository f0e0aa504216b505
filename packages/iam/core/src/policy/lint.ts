import type { PolicyDocument } from './document.ts';

export interface PolicyWarning {
  readonly code: 'negated-deny-without-exists' | 'wildcard-in-resource-type';
  readonly path: string;
  readonly message: string;
}

/** Valid, yet likely not what was meant (`iam.md` §10.2, §10.4): for `policies.validate`. */
export function lintPolicy(_document: PolicyDocument): PolicyWarning[] {
  throw new Error('not built yet');
}
