import { wordsText } from '@kit/operation';
import { z } from 'zod';
import { operation } from '../form.ts';
import { delegation, delegationRef } from './delegation.ts';

export const revoke = operation({
  id: 'delegations.revoke',
  summary: 'End a delegation at once, with its sessions and what was handed on.',
  effect: 'destroy',
  input: { ...delegationRef, reason: wordsText(512).optional() },
  output: { ...delegation, sessionsEnded: z.int(), handoffsRevoked: z.int() },
  errors: ['NOT_FOUND', 'INVALID_TRANSITION'],
  action: 'iam:delegations:revoke',
  audit: ['delegationId', 'reason'],
  command: { positional: ['delegationId'] },
});
