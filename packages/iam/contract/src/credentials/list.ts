import { listOf, paging, ref } from '../fields.ts';
import { operation } from '../form.ts';
import { Credential } from './credential.ts';

export const list = operation({
  id: 'credentials.list',
  summary: "Your own keys, or the organization's for its owners; never a secret.",
  effect: 'read',
  input: { identityId: ref('identity', 'svc').optional(), ...paging },
  output: listOf(Credential),
  action: 'iam:credentials:read',
});
