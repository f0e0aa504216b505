import type { Catalog } from '../catalog.ts';
import type { PolicyDocument } from './document.ts';

/**
 * A policy document out of untrusted JSON (`iam.md` §10.1 to §10.4), copied and frozen. `INVALID_POLICY`, or `INVALID_ACTION` for a concrete action
 * the catalog lacks; `details.path` names the member, such as `statements[2].conditions.StringLike["resource.name"][0]`.
 */
export function parsePolicy(_json: unknown, _catalog: Catalog): PolicyDocument {
  throw new Error('not built yet');
}

/** The document that a list of action patterns is short for: one allow on `*` (`iam.md` §3.3, §11.1, §14.2). Checked as `parsePolicy`. */
export function parsePermissions(_patterns: unknown, _catalog: Catalog): PolicyDocument {
  throw new Error('not built yet');
}
