import { z } from 'zod';
import { Action, ResourceRef } from '../fields.ts';
import { operation } from '../form.ts';
import { decision } from './shapes.ts';

/** iam.md §12. A held action spends a matching approval unless `consume` is false. */
export const authorize = operation({
  id: 'authorize',
  summary: 'Ask whether the presented credential may do an action on a resource.',
  effect: 'write',
  input: { action: Action, resource: ResourceRef, consume: z.boolean().optional().meta({ description: 'False: ask only, spend no approval (default true).' }) },
  output: decision,
  errors: ['TENANT_INACTIVE', 'RESOURCE_MISMATCH', 'RESOURCE_RESOLVER_REQUIRED'],
  command: false,
});
