import { object } from '@kit/operation';
import { NodeTokenId } from '../ids.ts';
import { operation } from '../service.ts';
import { NodeToken } from './token.ts';

/** `nodeTokens.revoke` (compute.md §3.3): decided on the token's pool; nodes that have joined stay. */
export const revoke = operation({
  id: 'nodeTokens.revoke',
  summary: 'Make an enrolment token useless from now on.',
  effect: 'destroy',
  key: 'take',
  canBeHeld: true,
  operatorOnly: true,
  input: { tokenId: NodeTokenId },
  output: { token: NodeToken },
  action: 'compute:nodes:create',
  on: object('node-token', (input: { tokenId: string }) => input.tokenId),
  audit: ['tokenId'],
  command: { path: ['node', 'token', 'revoke'], positional: ['tokenId'] },
  examples: [{ title: 'One token', input: { tokenId: 'ntk_AAAAAAAAAAAAAAAAAAAAAA' } }],
});
