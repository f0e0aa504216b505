import type { AttributeType, Catalog, ResourceTypeSpec } from '@better-iam/core';
import { refuse } from '../refuse.ts';

/** The type as the catalog has it; `INVALID_RESOURCE_TYPE` where it has none such, or the application resolves it. */
export function managedType({ resourceTypes }: Catalog, type: string): ResourceTypeSpec {
  const spec = Object.hasOwn(resourceTypes, type) ? resourceTypes[type] : undefined;
  if (!spec?.managed) throw refuse('INVALID_RESOURCE_TYPE', 'the catalog has no managed type of this name', { details: { path: 'type' } });
  return spec;
}

const fits: Readonly<Record<AttributeType, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  'string[]': Array.isArray,
};

/** Declared names with their declared types, and no others. */
export function checkAttributes(spec: ResourceTypeSpec, attributes: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(attributes)) {
    const type = spec.attributes && Object.hasOwn(spec.attributes, name) ? spec.attributes[name] : undefined;
    if (type === undefined || !fits[type](value))
      throw refuse('INVALID_INPUT', type === undefined ? `the type has no attribute ${name}` : `${name} must be a ${type}`, {
        details: { path: `attributes.${name}` },
      });
  }
}
