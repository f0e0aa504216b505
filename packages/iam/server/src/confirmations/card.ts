import { checkText, confirmationDigest, type JsonValue, likeness, type ResolvedResource } from '@better-iam/core';
import { limits } from '../limits.ts';
import { refuse } from '../refuse.ts';

/** What of a resource is put before a person and what their approval is tied to (iam.md §9.2, §17.4). */
export interface Card {
  digest: string;
  likeness: string;
  summary: string;
  facts: { label: string; value: string }[] | null;
  links: { label: string; path: string }[] | null;
}

const fieldLengthMax = 256;
/** A path of our own console, never an address. */
const ownPath = /^\/(?![/\\])[^\s\\]*$/;

/**
 * A resource without a card of its own is tied by its attributes and named by what is asked. A card that breaks the rules is the deployment's fault and
 * fails the call: nothing of what a person reads is ever cut short.
 */
export function cardOf(action: string, resource: ResolvedResource): Card {
  const { tenantId, type, id, confirmation } = resource;
  const { facts, links } = confirmation ?? {};
  if ((facts?.length ?? 0) > limits.factsMax || (links?.length ?? 0) > limits.linksMax || links?.some((link) => !ownPath.test(link.path)))
    throw refuse('INTERNAL_ERROR', `the card of ${type}/${id} has too many facts or links, or a link that is no path`);
  const binding = confirmation?.binding ?? (resource.attributes as JsonValue);
  const text = (value: unknown, path: string): string => checkText(value, { max: fieldLengthMax, path });
  return {
    digest: confirmationDigest({ tenantId, action, type, id, binding }),
    likeness: likeness({ tenantId, action, type, binding: confirmation?.likeness ?? binding }),
    summary: checkText(confirmation?.summary ?? `${action} on ${type}/${id}`, { max: limits.summaryLengthMax, newline: true, path: 'summary' }),
    facts: facts?.map((fact) => ({ label: text(fact.label, 'facts'), value: text(fact.value, 'facts') })) ?? null,
    links: links?.map((link) => ({ label: text(link.label, 'links'), path: text(link.path, 'links') })) ?? null,
  };
}
