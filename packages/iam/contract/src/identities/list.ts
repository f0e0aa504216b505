import { z } from 'zod';
import { listOf, paging } from '../fields.ts';
import { operation } from '../form.ts';
import { Identity } from './identity.ts';

export const list = operation({
  id: 'identities.list',
  summary: 'People, machine accounts and agents of the organization.',
  effect: 'read',
  input: { kind: z.enum(['user', 'service', 'agent']).optional(), ...paging },
  output: listOf(Identity),
  action: 'iam:identities:read',
});
