import { canonicalJson, equalDigest, sha256Hex } from './digest.ts';
import type { JsonValue } from './json.ts';

/** `iam.md` §22. `timestamp` in epoch milliseconds; `sequence` per tenant from 1; hashes in lower-case hex. */
export interface AuditEvent {
  readonly id: string;
  readonly tenantId: string;
  readonly timestamp: number;
  readonly actorId: string;
  readonly action: string;
  readonly resourceId: string;
  readonly outcome: 'allow' | 'deny';
  readonly sessionContext: JsonValue;
  readonly metadata: JsonValue;
  readonly rootOverride?: boolean;
  readonly sequence: number;
  readonly previousHash: string;
  readonly hash: string;
}

/** Place in a chain: the last event before a page, or the head row. */
export interface ChainPosition {
  readonly sequence: number;
  readonly hash: string;
}

export type ChainFailure = 'sequence-gap' | 'previous-hash-mismatch' | 'hash-mismatch' | 'head-mismatch' | 'missing-prefix';
export type ChainVerdict =
  | { readonly ok: true; readonly head: ChainPosition }
  | { readonly ok: false; readonly failure: ChainFailure; readonly sequence: number };

/** Where every chain begins. */
export const genesis: ChainPosition = Object.freeze({ sequence: 0, hash: '0'.repeat(64) });

/** Hex SHA-256 over the RFC 8785 text of the event without its `hash` (`iam.md` §22). Members JSON cannot say are `INVALID_INPUT`. */
export function auditHash(event: Omit<AuditEvent, 'hash'> & { readonly hash?: string }): string {
  const { hash: _, ...hashed } = event;
  return sha256Hex(canonicalJson(hashed));
}

/**
 * Walks events in order of sequence and names the first failure (`iam.md` §22) with the sequence it was found at. `after` begins a later page; `head`
 * is what the last event must be, else cut-off ends go unseen. Without `after` a chain that does not begin at 1 is `missing-prefix`.
 */
export function verifyChain(events: Iterable<AuditEvent>, options: { readonly after?: ChainPosition; readonly head?: ChainPosition } = {}): ChainVerdict {
  let last = options.after ?? genesis;
  for (const event of events) {
    const failure = failureOf(event, last);
    if (failure !== undefined) return { ok: false, failure, sequence: event.sequence };
    last = { sequence: event.sequence, hash: event.hash };
  }
  const { head } = options;
  if (head !== undefined && !(head.sequence === last.sequence && equalDigest(head.hash, last.hash)))
    return { ok: false, failure: 'head-mismatch', sequence: last.sequence };
  return { ok: true, head: last };
}

function failureOf(event: AuditEvent, last: ChainPosition): ChainFailure | undefined {
  if (event.sequence !== last.sequence + 1) return last.sequence === 0 ? 'missing-prefix' : 'sequence-gap';
  if (!equalDigest(event.previousHash, last.hash)) return 'previous-hash-mismatch';
  return equalDigest(event.hash, auditHash(event)) ? undefined : 'hash-mismatch';
}
