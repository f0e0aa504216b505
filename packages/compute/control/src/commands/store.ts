import type { CommandArgs, CommandKind, CommandState } from '@better-compute/contract';
import type { Queryable } from '@kit/store';

export interface CommandRow {
  id: string;
  number: number;
  tenantId: string;
  ownerId: string;
  agentId: string | null;
  delegationId: string | null;
  nodeId: string;
  poolId: string;
  kind: CommandKind;
  args: CommandArgs;
  state: CommandState;
  reason: string | null;
  result: unknown;
  createdAt: number;
  notAfter: number;
  /** Of the node's wished state since which it is in there; null while it is held. */
  generation: number | null;
  /** Of the agent's start it was given to. */
  incarnation: number | null;
  dispatchedAt: number | null;
  endedAt: number | null;
  version: number;
}

export type NewCommand = Omit<CommandRow, 'number' | 'result' | 'incarnation' | 'dispatchedAt' | 'endedAt' | 'version'>;

const columns = `id, number, tenant_id as "tenantId", owner_id as "ownerId", agent_id as "agentId", delegation_id as "delegationId", node_id as "nodeId",
  pool_id as "poolId", kind, args, state, reason, result, created_at as "createdAt", not_after as "notAfter", generation, incarnation,
  dispatched_at as "dispatchedAt", ended_at as "endedAt", version`;

const from = `select ${columns} from compute.command`;

export const readCommand = (q: Queryable, id: string): Promise<CommandRow | undefined> => q.one<CommandRow>(`${from} where id = $1`, [id]);

export const lockCommand = (q: Queryable, id: string): Promise<CommandRow | undefined> => q.one<CommandRow>(`${from} where id = $1 for update`, [id]);

export interface CommandFilter {
  /** Undefined: of every tenant. */
  tenantId: string | undefined;
  nodeId: string | undefined;
  kind: CommandKind | undefined;
  state: CommandState | undefined;
  before: number | undefined;
  count: number;
}

export const readCommandPage = (q: Queryable, f: CommandFilter): Promise<CommandRow[]> =>
  q.rows<CommandRow>(
    `${from} where ($1::text is null or tenant_id = $1) and ($2::text is null or node_id = $2) and ($3::text is null or kind = $3)
       and ($4::text is null or state = $4) and ($5::bigint is null or number < $5) order by number desc limit $6`,
    [f.tenantId, f.nodeId, f.kind, f.state, f.before, f.count],
  );

/** A diagnostic of this very caller that the node has still to end. */
export const readLiveDiagnostic = (q: Queryable, c: Pick<CommandRow, 'tenantId' | 'ownerId' | 'agentId' | 'delegationId' | 'nodeId'>) =>
  q.one<CommandRow>(
    `${from} where node_id = $1 and tenant_id = $2 and owner_id = $3 and agent_id is not distinct from $4 and delegation_id is not distinct from $5
       and kind = 'diag.nvml' and state in ('queued', 'dispatched', 'running') order by number limit 1`,
    [c.nodeId, c.tenantId, c.ownerId, c.agentId, c.delegationId],
  );

export const countLive = async (q: Queryable, nodeId: string): Promise<number> =>
  (await q.one<{ count: number }>(`select count(*) from compute.command where node_id = $1 and state in ('held', 'queued', 'dispatched', 'running')`, [
    nodeId,
  ]))!.count;

/** What is wished of a node now, oldest first, locked. */
export const lockWished = (q: Queryable, nodeId: string): Promise<CommandRow[]> =>
  q.rows<CommandRow>(`${from} where node_id = $1 and state in ('queued', 'dispatched', 'running') order by number for update`, [nodeId]);

export const readHeld = (q: Queryable, count: number): Promise<CommandRow[]> =>
  q.rows<CommandRow>(`${from} where state = 'held' order by number limit $1`, [count]);

/** Whose time is over: those nobody took, and after a while those nobody heard of again. */
export const lockOverdue = (q: Queryable, o: { untakenBefore: number; silentBefore: number; count: number }): Promise<CommandRow[]> =>
  q.rows<CommandRow>(
    `${from} where state in ('held', 'queued') and not_after <= $1 or state in ('dispatched', 'running') and not_after <= $2
     order by number limit $3 for update skip locked`,
    [o.untakenBefore, o.silentBefore, o.count],
  );

export async function insertCommand(q: Queryable, c: NewCommand): Promise<CommandRow> {
  const row = await q.one<CommandRow>(
    `insert into compute.command (id, tenant_id, owner_id, agent_id, delegation_id, node_id, pool_id, kind, args, state, reason, created_at, not_after, generation)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) returning ${columns}`,
    [
      c.id,
      c.tenantId,
      c.ownerId,
      c.agentId,
      c.delegationId,
      c.nodeId,
      c.poolId,
      c.kind,
      JSON.stringify(c.args),
      c.state,
      c.reason,
      c.createdAt,
      c.notAfter,
      c.generation,
    ],
  );
  return row!;
}

/** Writes what can change of a command, as its next version. */
export const updateCommand = (q: Queryable, c: CommandRow): Promise<number> =>
  q.run(
    `update compute.command set state = $2, reason = $3, result = $4, generation = $5, incarnation = $6, dispatched_at = $7, ended_at = $8,
       version = version + 1 where id = $1`,
    [c.id, c.state, c.reason, c.result == null ? null : JSON.stringify(c.result), c.generation, c.incarnation, c.dispatchedAt, c.endedAt],
  );

/** The next state to wish of a node; whoever speaks with it is told. */
export async function nextGeneration(q: Queryable, nodeId: string): Promise<number> {
  const row = await q.one<{ generation: number }>('update compute.node set generation = generation + 1 where id = $1 returning generation', [nodeId]);
  return row!.generation;
}
