import { ref } from '../fields.ts';
import { operation } from '../form.ts';
import { Attributes, ManagedId, managedRef, managedResource } from './resource.ts';

export const create = operation({
  id: 'resources.create',
  summary: 'Register a resource of a managed type, to be decided on without asking the application.',
  effect: 'write',
  input: {
    type: managedRef.type,
    id: ManagedId,
    attributes: Attributes.optional(),
    ownerId: ref('owner', 'usr').optional(),
    parentId: ManagedId.optional().meta({ description: 'Of the type that the catalog names as parent: required where it names one, and never changed.' }),
  },
  output: managedResource,
  errors: ['NOT_FOUND', 'CONFLICT', 'LIMIT_EXCEEDED', 'INVALID_RESOURCE_TYPE'],
  action: 'iam:resources:create',
  audit: ['type', 'id', 'ownerId', 'parentId'],
  command: { positional: ['type', 'id'] },
});
