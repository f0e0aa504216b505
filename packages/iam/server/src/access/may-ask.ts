import type { Principal } from '../state/principal.ts';

/** An agent asks `authorize`, and learns yes, held or no (iam.md §12.6). */
export const isAgent = ({ bearer, identity }: Principal): boolean => bearer.kind === 'delegated' || identity.kind === 'agent';

/** Oneself and what one has granted, in one's own session. Whatever else is for readers of the audit. */
export const isOwnQuestion = (caller: Principal, subject: Principal | undefined): boolean =>
  caller.bearer.kind === 'user' && subject !== undefined && subject.identity.id === caller.identity.id;
