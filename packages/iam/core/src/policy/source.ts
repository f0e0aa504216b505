import type { PolicyDocument } from './document.ts';

/** Where a document comes from; said back when one of its statements decides. */
export interface PolicySource {
  /** Such as `role`, `policy`, `tenant-boundary`, `key-scopes`, `agent-boundary`, `delegation`, `session-policy`. */
  readonly kind: string;
  readonly id: string;
  readonly name?: string;
  /** As `parsePolicy` returned it. */
  readonly document: PolicyDocument;
}
