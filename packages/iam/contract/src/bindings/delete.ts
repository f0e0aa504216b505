import { ref } from '../fields.ts';
import { operation } from '../form.ts';
import { binding } from './binding.ts';

export const remove = operation({
  id: 'bindings.delete',
  summary: 'Take a role from an identity or a group.',
  effect: 'destroy',
  userOnly: true,
  input: { bindingId: ref('binding', 'bnd') },
  output: binding,
  errors: ['NOT_FOUND', 'PROTECTED_RESOURCE', 'RECENT_AUTH_REQUIRED'],
  action: 'iam:bindings:delete',
  audit: ['bindingId'],
  command: { positional: ['bindingId'] },
});
