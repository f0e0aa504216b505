import { wordsText } from '@kit/operation';
import { z } from 'zod';
import { operation } from '../form.ts';
import { agent, agentRef } from './agent.ts';

export const suspend = operation({
  id: 'agents.suspend',
  summary: 'Stop an agent now: its delegated sessions end, its keys are refused until it is resumed.',
  effect: 'destroy',
  userOnly: true,
  input: { ...agentRef, reason: wordsText(512).optional() },
  output: { ...agent, sessionsEnded: z.int() },
  errors: ['NOT_FOUND', 'INVALID_TRANSITION'],
  action: 'iam:agents:suspend',
  audit: ['agentId', 'reason'],
  command: { positional: ['agentId'] },
});
