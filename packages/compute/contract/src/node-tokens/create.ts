import { Duration, durationMs, object } from '@kit/operation';
import { z } from 'zod';
import { callMembers, givenOf } from '../call-members.ts';
import { PoolId } from '../ids.ts';
import { limits } from '../limits.ts';
import { operation } from '../service.ts';
import { NodeToken } from './token.ts';

const uses = z.int().min(1).max(limits.tokenUsesMax).default(1).meta({ description: 'How many nodes may join with it, 1 to 1000.' });
const expires = Duration.refine((text) => {
  const seconds = durationMs(text) / 1000;
  return seconds >= limits.tokenSecondsMin && seconds <= limits.tokenSecondsMax;
}, 'must be between 60s and 7d')
  .default(limits.tokenDefault)
  .meta({ description: 'How long it is good for, 60s to 7d.' });

const commandArguments = z.strictObject({ pool: PoolId, uses, expires, ...callMembers });

/** `nodeTokens.create` (compute.md §4.1): the secret is in this answer alone; a repeat with the same key answers without it. */
export const create = operation({
  id: 'nodeTokens.create',
  summary: 'Make a token that lets machines join a pool.',
  effect: 'write',
  key: 'take',
  canBeHeld: true,
  operatorOnly: true,
  input: { poolId: PoolId, uses, expires },
  output: { token: NodeToken },
  action: 'compute:nodes:create',
  on: object('pool', (input: { poolId: string }) => input.poolId),
  audit: ['poolId', 'uses', 'expires'],
  command: {
    path: ['node', 'token', 'create'],
    arguments: commandArguments,
    toInput: (a: z.output<typeof commandArguments>) => ({ poolId: a.pool, uses: a.uses, expires: a.expires, ...givenOf(a) }),
  },
  examples: [{ title: 'For sixteen machines, one hour', input: { poolId: 'pool_h100-fra', uses: 16, expires: '1h' } }],
});
