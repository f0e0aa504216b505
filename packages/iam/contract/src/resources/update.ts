import { z } from 'zod';
import { ref } from '../fields.ts';
import { operation } from '../form.ts';
import { Attributes, managedRef, managedResource } from './resource.ts';

export const update = operation({
  id: 'resources.update',
  summary: 'Replace the attributes of a managed resource, or give it another owner; effective on the next decision.',
  effect: 'write',
  input: {
    ...managedRef,
    version: z.int().min(1).meta({ description: 'The version you read; another one is refused.' }),
    attributes: Attributes.optional().meta({ description: 'All of them: what is left out is gone.' }),
    ownerId: ref('owner', 'usr').nullable().optional().meta({ description: 'null: nobody.' }),
  },
  output: managedResource,
  errors: ['NOT_FOUND', 'VERSION_CONFLICT', 'INVALID_RESOURCE_TYPE'],
  action: 'iam:resources:update',
  audit: ['type', 'id', 'version', 'ownerId'],
  command: { positional: ['type', 'id'] },
});
