import { operation } from '../form.ts';
import { managedRef, managedResource } from './resource.ts';

export const get = operation({
  id: 'resources.get',
  summary: 'One managed resource.',
  effect: 'read',
  input: managedRef,
  output: managedResource,
  errors: ['NOT_FOUND', 'INVALID_RESOURCE_TYPE'],
  action: 'iam:resources:read',
  command: { positional: ['type', 'id'] },
});
