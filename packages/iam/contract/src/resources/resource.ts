import { plainText } from '@kit/operation';
import { z } from 'zod';
import { Instant } from '../fields.ts';

/** Ids are the application's own; without `*` and `?`, so that no pattern of a policy means more than it says (iam.md §9.1). */
export const ManagedId = plainText(128)
  .regex(/^[^*?]*$/, 'must not contain * or ?')
  .meta({ description: "The application's own id of it." });

const text = z.string().max(2048);
export const Attributes = z
  .record(z.string(), z.union([text, z.number(), z.boolean(), z.array(text).max(64)]))
  .meta({ description: 'What policies may test as resource.{name}: the names and types the catalog declares for its type.' });

/** A resource that IAM itself keeps, of a type the catalog calls managed. */
export const managedResource = {
  tenantId: z.string(),
  type: z.string(),
  id: z.string(),
  attributes: Attributes,
  ownerId: z.string().optional(),
  parentId: z.string().optional(),
  version: z.int(),
  createdAt: Instant,
  updatedAt: Instant,
};
export const ManagedResource = z.object(managedResource);
export type ManagedResource = z.output<typeof ManagedResource>;

/** An id of another form is answered like one that does not exist. */
export const managedRef = {
  type: z.string().min(1).max(64).meta({ description: 'Managed type of the catalog.' }),
  id: z.string().min(1).max(256).meta({ description: 'Its id.' }),
};
