import type { Command } from '@better-compute/contract';
import type { CommandRow } from './store.ts';

export function commandView(row: CommandRow): Command {
  const { number: _number, generation: _generation, incarnation: _incarnation, agentId, delegationId, reason, dispatchedAt, endedAt, ...shown } = row;
  return {
    ...shown,
    ...(agentId === null ? {} : { agentId }),
    ...(delegationId === null ? {} : { delegationId }),
    ...(reason === null ? {} : { reason }),
    ...(dispatchedAt === null ? {} : { dispatchedAt }),
    ...(endedAt === null ? {} : { endedAt }),
  };
}
