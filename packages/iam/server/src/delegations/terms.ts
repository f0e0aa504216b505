import { parsePermissions, parsePolicy, type PolicyDocument } from '@better-iam/core';
import type { Plane } from '../plane.ts';
import { refuse } from '../refuse.ts';
import type { DelegationRow } from './store.ts';

/** Exactly one of the two, as the compiled policy and, where it was a list of patterns, that list. Undefined where neither is given. */
export function scopeOf(
  plane: Plane,
  input: { scopes?: string[] | undefined; policy?: unknown },
): { scopes: string[] | null; policy: PolicyDocument } | undefined {
  if (input.scopes !== undefined && input.policy !== undefined)
    throw refuse('INVALID_INPUT', 'give scopes or a policy, not both', { details: { path: 'policy' } });
  if (input.scopes !== undefined) return { scopes: input.scopes, policy: parsePermissions(input.scopes, plane.catalog) };
  if (input.policy !== undefined) return { scopes: null, policy: parsePolicy(input.policy, plane.catalog) };
  return undefined;
}

export function requiredScopeOf(plane: Plane, input: { scopes?: string[] | undefined; policy?: unknown }): { scopes: string[] | null; policy: PolicyDocument } {
  const scope = scopeOf(plane, input);
  if (!scope) throw refuse('INVALID_INPUT', 'say what the agent may do: scopes or a policy', { details: { path: 'scopes' } });
  return scope;
}

/** Depth 1 unless said otherwise: the agent may pass it on once (iam.md §16). */
export const handoffOf = (input: { agents?: string[] | undefined; depth?: number | undefined } | undefined): DelegationRow['handoff'] =>
  input ? { depth: input.depth ?? 1, ...(input.agents ? { agents: input.agents } : {}) } : null;
