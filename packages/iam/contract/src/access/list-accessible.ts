import { Action, listOf, paging } from '../fields.ts';
import { operation } from '../form.ts';
import { ManagedResource, managedRef } from '../resources/resource.ts';

/** The reverse of `authorize`, for managed types alone (iam.md §12.4): what is held for confirmation is not among them. */
export const listAccessible = operation({
  id: 'listAccessible',
  summary: 'The resources of a managed type that the presented credential may do an action on, by id; advice, as the answers of authorizeMany are.',
  effect: 'read',
  input: { action: Action, type: managedRef.type, ...paging },
  output: listOf(ManagedResource),
  errors: ['TENANT_INACTIVE', 'INVALID_ACTION', 'INVALID_RESOURCE_TYPE'],
  command: false,
});
