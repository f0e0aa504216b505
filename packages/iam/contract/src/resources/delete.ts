import { operation } from '../form.ts';
import { managedRef, managedResource } from './resource.ts';

export const remove = operation({
  id: 'resources.delete',
  summary: 'Delete a managed resource that has no children.',
  effect: 'destroy',
  input: managedRef,
  output: managedResource,
  errors: ['NOT_FOUND', 'RESOURCE_IN_USE', 'INVALID_RESOURCE_TYPE'],
  action: 'iam:resources:delete',
  audit: ['type', 'id'],
  command: { positional: ['type', 'id'] },
});
