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

/** Hex SHA-256 over the RFC 8785 text of the event without its `hash` (`iam.md` §22). */
export function auditHash(_event: Omit<AuditEvent, 'hash'> & { readonly hash?: string }): string {
  throw new Error('not built yet');
}

/** Walks events in order of sequence and names the first failure (`iam.md` §22). `after` begins a later page; `head` is what the last must be. */
export function verifyChain(_events: Iterable<AuditEvent>, _options: { readonly after?: ChainPosition; readonly head?: ChainPosition } = {}): ChainVerdict {
  throw new Error('not built yet');
}
