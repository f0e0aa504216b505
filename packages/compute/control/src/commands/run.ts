import type { CommandArgs } from '@better-compute/contract';
import type { EffectHandler, In } from '../handler.ts';
import type { JsonValue } from '../iam-port.ts';
import { mintId } from '../ids.ts';
import { limits } from '../limits.ts';
import { findNode } from '../nodes/resource.ts';
import { type NodeRow, readNode } from '../nodes/store.ts';
import type { Scope } from '../plane.ts';
import { isOperator } from '../pools/offer.ts';
import { invalidInput, invalidState, notFound, refuse } from '../refuse.ts';
import { wishFor } from './change.ts';
import { findCommand } from './resource.ts';
import { countLive, insertCommand, type NewCommand, readLiveDiagnostic } from './store.ts';
import { commandView } from './view.ts';

type Given = In<'commands.run'>;

const deeds: Readonly<Record<Given['kind'], string>> = {
  'diag.nvml': 'Run a GPU diagnostic on',
  'inventory.refresh': 'Read the inventory anew of',
  'logs.collect': "Collect the agent's log of",
  'node.reboot': 'Restart',
};

export const run: EffectHandler<'commands.run', NodeRow> = {
  lane: async ({ database }, input) => (await readNode(database, input.nodeId))?.poolId,
  about: (scope, input) => findNode(scope, input.nodeId),

  draft(scope, input, row) {
    const { kind } = input;
    const args = argsOf(input);
    // without approver keys there is no batch it could be of
    if (input.batchId !== undefined) throw notFound();
    checkNode(row);
    const { config } = scope.pool!.row;
    return {
      card: () => ({
        summary: `${deeds[kind]} node ${JSON.stringify(row.name)} in pool ${JSON.stringify(config.name)}${linesText(args)}.`,
        facts: [
          { label: 'What', value: kind },
          { label: 'Node', value: row.id },
          { label: 'Pool', value: row.poolId },
          ...(kind === 'logs.collect' ? [{ label: 'Lines', value: args.lines === undefined ? 'all that are kept' : String(args.lines) }] : []),
        ],
      }),
      attributes: { kind, nodeId: row.id, poolId: row.poolId, operator: isOperated(scope) },
      ownerId: scope.access.caller.identityId,
      frozen: { args: args as JsonValue },
    };
  },

  async run(scope, input, { frozen }) {
    const pool = scope.pool!;
    const node = (await readNode(pool.tx, input.nodeId))!;
    checkNode(node);
    const command = newCommand(scope, node, input, (frozen as { args: CommandArgs }).args);
    const live = input.kind === 'diag.nvml' ? await readLiveDiagnostic(pool.tx, command) : undefined;
    if (live) return { reply: { command: commandView(live) }, objectId: live.id };
    if ((await countLive(pool.tx, node.id)) >= limits.commandsPerNode)
      throw refuse('RATE_LIMITED', `at most ${limits.commandsPerNode} commands may wait for one node`, { reason: 'commands-per-node' }, limits.pendingRetryMs);
    // a machine is not restarted under somebody's reservation, batch or not
    const isHeld = input.kind === 'node.reboot' && pool.carries(node.id);
    const row = await insertCommand(pool.tx, {
      ...command,
      ...(isHeld ? { state: 'held', reason: 'the node carries reservations' } : { generation: await wishFor(pool.tx, node.id) }),
    });
    pool.note({ objectId: row.id, from: 'requested', to: row.state, cause: 'run', by: row.ownerId, at: pool.now });
    return { reply: { command: commandView(row) }, objectId: row.id };
  },

  async answer(look, id) {
    const found = await findCommand(look, id);
    return found && { reply: { command: commandView(found.row) }, found };
  },
};

/** The schema has written the default out. */
function argsOf({ kind, args = {} }: Given): CommandArgs {
  if (args.lines !== undefined && kind !== 'logs.collect') throw invalidInput('args.lines', `is of logs.collect, not of ${kind}`);
  return args;
}

const linesText = ({ lines }: CommandArgs): string => (lines === undefined ? '' : `, its latest ${lines} lines`);

function checkNode(row: NodeRow): void {
  if (row.state === 'removed') throw invalidState(row.state, 'not-ready', 'the node was removed');
}

const isOperated = ({ pool, tenantId, platformTenantId }: Scope): boolean => isOperator(pool!.row.config, tenantId, platformTenantId);

function newCommand({ access, tenantId, now }: Scope, node: NodeRow, { kind }: Given, args: CommandArgs): NewCommand {
  return {
    id: mintId('cmd'),
    tenantId,
    ownerId: access.caller.identityId,
    agentId: access.caller.agentId ?? null,
    delegationId: access.caller.delegationId ?? null,
    nodeId: node.id,
    poolId: node.poolId,
    kind,
    args,
    state: 'queued',
    reason: null,
    createdAt: now,
    notAfter: now + limits.commandWaitMs,
    generation: null,
  };
}
