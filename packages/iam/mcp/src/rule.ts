import type { ResourceRef } from './iam.ts';

/**
 * What a tool needs (iam.md §8.3). Without `public` or `action` nobody signed in by IAM may call it; an OAuth caller
 * needs every one of `scopes`, and a rule without scopes admits none.
 */
export interface McpToolRule {
  action?: string;
  /** Fixed, or made from the call's arguments: a function that throws denies. Default: `{ type: toolResourceType, id: tool }`. */
  resource?: ResourceRef | ((args: Record<string, unknown>) => ResourceRef);
  /** What stands in for the resource when the list is filtered. */
  listAs?: ResourceRef;
  scopes?: string[];
  /** Open to any authenticated caller. */
  public?: boolean;
}

/** The resource a call is decided on; undefined when the rule throws or answers no resource, which denies. */
export function resourceOf(rule: McpToolRule, fallback: ResourceRef, args: Record<string, unknown>): ResourceRef | undefined {
  if (typeof rule.resource !== 'function') return rule.resource ?? fallback;
  try {
    const resource: unknown = rule.resource(args);
    return isResource(resource) ? { type: resource.type, id: resource.id } : undefined;
  } catch {
    return undefined;
  }
}

/** The resource a listing is decided on; undefined when only the call can decide. */
export function listedAs(rule: McpToolRule, fallback: ResourceRef): ResourceRef | undefined {
  if (rule.listAs) return rule.listAs;
  return typeof rule.resource === 'function' ? undefined : (rule.resource ?? fallback);
}

export function isResource(value: unknown): value is ResourceRef {
  if (typeof value !== 'object' || value === null) return false;
  const { type, id } = value as Partial<ResourceRef>;
  return typeof type === 'string' && type !== '' && typeof id === 'string' && id !== '';
}
