import type { Catalog } from '../catalog.ts';
import type { PolicyDocument } from './document.ts';

/** Where a document comes from; said back when one of its statements decides. */
export interface PolicySource {
  /** Such as `role`, `policy`, `tenant-boundary`, `key-scopes`, `agent-boundary`, `delegation`, `session-policy`. */
  readonly kind: string;
  readonly id: string;
  readonly name?: string;
  readonly document: PolicyDocument;
}

/** Documents that speak with one voice: an allow of any of them is an allow of the set. Opaque; keep it as long as the documents stay the same. */
export interface CompiledSet {
  readonly sources: readonly PolicySource[];
}

/** Compiles documents once. The grants of a principal are one set; every ceiling is a set of its own. A set without documents allows nothing. */
export function compileDocuments(_sources: readonly PolicySource[], _catalog: Catalog): CompiledSet {
  throw new Error('not built yet');
}
