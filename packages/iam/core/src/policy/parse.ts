import type { Catalog } from '../catalog.ts';
import { IamError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { PolicyDocument, Statement } from './document.ts';
import { parseConditions } from './parse-conditions.ts';
import { readList, readObject, readText, refusePolicy } from './read-json.ts';
import { parseTemplate } from './template.ts';

/**
 * A policy document out of untrusted JSON (`iam.md` §10.1 to §10.4), copied and frozen. `INVALID_POLICY`, or `INVALID_ACTION` for a concrete action
 * the catalog lacks; `details.path` names the member, such as `statements[2].conditions.StringLike["resource.name"][0]`.
 */
export function parsePolicy(json: unknown, catalog: Catalog): PolicyDocument {
  const document = readObject(json, '', ['version', 'statements']);
  if (document.version !== 1) refusePolicy('version', 'must be 1');
  const statements = readList(document.statements, 'statements', limits.statementsMax).map((statement, index) =>
    parseStatement(statement, `statements[${index}]`, catalog),
  );
  const sids = new Set<string>();
  for (const [index, { sid }] of statements.entries()) {
    if (sid !== undefined && sids.has(sid)) refusePolicy(`statements[${index}].sid`, 'stands twice');
    if (sid !== undefined) sids.add(sid);
  }
  return Object.freeze({ version: 1, statements: Object.freeze(statements) });
}

/**
 * The document that a list of action patterns is short for: one allow on `*` (`iam.md` §3.3, §11.1, §14.2). Refuses as `parsePolicy` does, with
 * `path` in place of the statement.
 */
export function parsePermissions(patterns: unknown, catalog: Catalog, path = 'permissions'): PolicyDocument {
  const statement: Statement = Object.freeze({ effect: 'allow', actions: parseActions(patterns, path, catalog), resources: Object.freeze(['*']) });
  return Object.freeze({ version: 1, statements: Object.freeze([statement]) });
}

function parseStatement(json: unknown, path: string, catalog: Catalog): Statement {
  const { sid, effect, actions, resources, conditions } = readObject(json, path, ['sid', 'effect', 'actions', 'resources', 'conditions']);
  if (effect !== 'allow' && effect !== 'deny') refusePolicy(`${path}.effect`, 'must be allow or deny');
  return Object.freeze({
    ...(sid === undefined ? {} : { sid: readText(sid, `${path}.sid`, limits.sidLengthMax) }),
    effect,
    actions: parseActions(actions, `${path}.actions`, catalog),
    resources: Object.freeze(
      readList(resources, `${path}.resources`, limits.patternsMax).map((pattern, index) => parseResource(pattern, `${path}.resources[${index}]`)),
    ),
    ...(conditions === undefined ? {} : { conditions: parseConditions(conditions, `${path}.conditions`) }),
  });
}

function parseActions(json: unknown, path: string, catalog: Catalog): readonly string[] {
  const patterns = readList(json, path, limits.patternsMax).map((element, index) => {
    const pattern = readText(element, `${path}[${index}]`, limits.patternLengthMax);
    if (pattern.includes('${')) refusePolicy(`${path}[${index}]`, 'must not have variables');
    if (!/[*?]/.test(pattern) && !catalog.actions.has(pattern)) {
      throw new IamError('INVALID_ACTION', `${path}[${index}] is no action of the catalog`, { details: { path: `${path}[${index}]` } });
    }
    return pattern;
  });
  return Object.freeze(patterns);
}

function parseResource(json: unknown, path: string): string {
  const pattern = readText(json, path, limits.patternLengthMax);
  const slash = pattern.indexOf('/');
  // A wildcard before any slash may stand for the slash too (§10.2); a plain word can match nothing.
  if (slash < 0 && !/[*?]/.test(pattern)) refusePolicy(path, 'must have the form type/id, or be *');
  const variable = pattern.indexOf('${');
  if (variable >= 0 && (slash < 0 || variable < slash)) refusePolicy(path, 'may have variables after the slash only');
  if (parseTemplate(pattern) === undefined) refusePolicy(path, 'has a ${ that begins no variable');
  return pattern;
}
