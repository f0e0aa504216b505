export type AttributeType = 'string' | 'number' | 'boolean' | 'string[]';

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

/** Checks the rules of `iam.md` §9.1 and adds the built-in type `iam`; a breach is `INVALID_CONFIG` naming the member. */
export function createCatalog(_options: CatalogOptions): Catalog {
  throw new Error('not built yet');
}
