import { IamError } from './errors.ts';
import { isPlainObject, isReservedName } from './json.ts';
import { limits } from './limits.ts';

export const attributeTypes = ['string', 'number', 'boolean', 'string[]'] as const;
export type AttributeType = (typeof attributeTypes)[number];

export interface ResourceTypeSpec {
  /** Actions asked on this type; each must be in the catalog. */
  readonly actions?: readonly string[];
  /** Attributes policies may test as `resource.{name}`. */
  readonly attributes?: Readonly<Record<string, AttributeType>>;
  readonly parent?: string;
  /** Stored by IAM itself (`iam.md` §9.1). */
  readonly managed?: boolean;
}

/** What can be asked in a deployment (`iam.md` §9.1). `resourceTypes` has no prototype. */
export interface Catalog {
  readonly actions: ReadonlySet<string>;
  readonly resourceTypes: Readonly<Record<string, ResourceTypeSpec>>;
}

export interface CatalogOptions {
  /** The application's actions, such as `compute:pools:read`. */
  readonly actions: readonly string[];
  readonly resourceTypes: Readonly<Record<string, ResourceTypeSpec>>;
  /** IAM's own actions, such as `iam:audit:read`, asked on the built-in type `iam`. */
  readonly iamActions?: readonly string[];
}

const actionName = /^[A-Za-z0-9_.-]+(?::[A-Za-z0-9_.-]+){1,2}$/;
const typeName = /^[a-z][a-z0-9-]{0,63}$/;
const attributeName = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
const serverAttributes: ReadonlySet<string> = new Set(['tenantId', 'ownerId', 'parentId', 'relations']);

/** Names under `resource.` that the server sets itself (`iam.md` §9.1): no attribute may have one. */
export function isServerAttribute(name: string): boolean {
  return serverAttributes.has(name);
}

/** False where the catalog says which actions are asked on this type and this is none of them. A type that says nothing may be asked anything. */
export function isAskedOn({ resourceTypes }: Catalog, action: string, type: string): boolean {
  return resourceTypes[type]?.actions?.includes(action) ?? true;
}

/** Checks the rules of `iam.md` §9.1 and adds the built-in type `iam`; a breach is `INVALID_CONFIG` naming the member. */
export function createCatalog(options: CatalogOptions): Catalog {
  const actions = new Set<string>();
  for (const [index, action] of options.actions.entries()) addAction(actions, action, `actions[${index}]`, false);
  const iamActions = options.iamActions ?? [];
  for (const [index, action] of iamActions.entries()) addAction(actions, action, `iamActions[${index}]`, true);
  const resourceTypes: Record<string, ResourceTypeSpec> = Object.create(null);
  for (const type of Object.keys(options.resourceTypes)) {
    const path = `resourceTypes[${JSON.stringify(type)}]`;
    if (!typeName.test(type) || isReservedName(type)) refuse(path, 'is no name of a resource type');
    if (type === 'iam') refuse(path, 'is built in');
    const spec = options.resourceTypes[type];
    if (!isPlainObject(spec)) refuse(path, 'must be an object');
    checkType(spec as ResourceTypeSpec, path, actions, options.resourceTypes);
    resourceTypes[type] = Object.freeze({ ...(spec as ResourceTypeSpec) });
  }
  resourceTypes.iam = Object.freeze({ actions: Object.freeze([...iamActions]) });
  return Object.freeze({ actions, resourceTypes: Object.freeze(resourceTypes) });
}

function addAction(actions: Set<string>, action: string, path: string, isIamOwn: boolean): void {
  if (typeof action !== 'string' || action.length > limits.actionLengthMax || !actionName.test(action))
    refuse(path, 'must be segment:segment or segment:segment:segment');
  if (action.startsWith('iam:') !== isIamOwn) refuse(path, isIamOwn ? 'must begin with iam:' : 'must not begin with iam:');
  if (actions.has(action)) refuse(path, 'stands twice');
  actions.add(action);
}

function checkType(spec: ResourceTypeSpec, path: string, actions: ReadonlySet<string>, types: CatalogOptions['resourceTypes']): void {
  for (const [index, action] of (spec.actions ?? []).entries()) {
    if (!actions.has(action)) refuse(`${path}.actions[${index}]`, 'is no action of the catalog');
  }
  for (const [name, type] of Object.entries(spec.attributes ?? {})) {
    const attributePath = `${path}.attributes[${JSON.stringify(name)}]`;
    if (!attributeName.test(name) || isReservedName(name) || isServerAttribute(name)) refuse(attributePath, 'is no name an attribute may have');
    if (!attributeTypes.includes(type)) refuse(attributePath, `must be one of ${attributeTypes.join(', ')}`);
  }
  if (spec.parent !== undefined && !Object.hasOwn(types, spec.parent)) refuse(`${path}.parent`, 'is no resource type');
  // its parents are IAM's to look up
  if (spec.managed && spec.parent !== undefined && types[spec.parent]?.managed !== true) refuse(`${path}.parent`, 'must be managed too');
}

function refuse(path: string, what: string): never {
  throw new IamError('INVALID_CONFIG', `permissions.${path} ${what}`, { details: { path: `permissions.${path}` } });
}
