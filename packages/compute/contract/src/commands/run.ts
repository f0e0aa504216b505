import { draft } from '@kit/operation';
import { z } from 'zod';
import { BatchId, NodeId } from '../ids.ts';
import { operation } from '../service.ts';
import { Command, CommandArgs, CommandKind } from './command.ts';

const batchId = BatchId.optional().meta({ description: 'The approved batch this belongs to (batch_…).' });

const diagnosticArguments = z.strictObject({ nodeId: NodeId });
const execArguments = z.strictObject({
  nodeId: NodeId,
  kind: CommandKind.exclude(['diag.nvml']).meta({ description: 'node.reboot restarts the machine.' }),
  batchId,
});

const gate = { action: 'compute:nodes:read', type: 'node', argument: 'nodeId' };

/** `commands.run` (compute.md §8): for those who operate the node's pool. A diagnostic of the same caller that is still to end is answered again. */
export const run = operation({
  id: 'commands.run',
  summary: 'Have a node do something: a diagnostic, a fresh inventory, its logs, a restart.',
  effect: 'write',
  key: 'take',
  canBeHeld: true,
  operatorOnly: true,
  input: {
    nodeId: NodeId,
    kind: CommandKind.meta({ description: 'What to do.' }),
    args: CommandArgs.default({}).meta({ description: 'Of the kind that has some: lines of logs.collect.' }),
    batchId,
  },
  output: { command: Command },
  errors: ['INVALID_STATE'],
  actionBy: {
    member: 'kind',
    actions: {
      'diag.nvml': 'compute:nodes:diagnose',
      'inventory.refresh': 'compute:nodes:refresh',
      'logs.collect': 'compute:nodes:logs',
      'node.reboot': 'compute:nodes:reboot',
    },
  },
  on: draft('command'),
  audit: ['nodeId', 'kind', 'batchId'],
  tool: [
    {
      name: 'run_diagnostic',
      description: 'Run a GPU diagnostic on a node. Answers the queued command; node_status shows the result once the node has finished.',
      hints: { readOnly: false, destructive: false, idempotent: true },
      onHold: 'error',
      gate,
      arguments: diagnosticArguments,
      toInput: (a: z.output<typeof diagnosticArguments>) => ({ nodeId: a.nodeId, kind: 'diag.nvml' as const }),
    },
    {
      name: 'exec_command',
      description: 'Have a node send its inventory anew, collect its logs or restart. A restart may need an approved batch: see propose_command_batch.',
      hints: { readOnly: false, destructive: true, idempotent: false },
      onHold: 'error',
      gate,
      arguments: execArguments,
      option: 'execCommand',
    },
  ],
  command: { path: ['command', 'run'], positional: ['nodeId', 'kind'] },
  examples: [{ title: 'A diagnostic', input: { nodeId: 'node_AAAAAAAAAAAAAAAAAAAAAA', kind: 'diag.nvml' } }],
});
