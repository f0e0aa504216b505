import type { Inventory, Node, NodeState } from '@better-compute/contract';
import type { Queryable } from '@kit/store';

export interface NodeRow {
  id: string;
  number: number;
  poolId: string;
  name: string;
  publicKey: string;
  state: NodeState;
  returnsTo: NodeState | null;
  labels: Record<string, string>;
  /** Null until the first hello. */
  inventory: Inventory | null;
  capabilities: Node['capabilities'];
  agentVersion: string | null;
  incarnation: number;
  lastSeenAt: number | null;
  lastDiagnostic: Node['lastDiagnostic'];
  /** Of its wished state. */
  generation: number;
  /** Its place among the changes of the pool's nodes. */
  seq: number;
  version: number;
}

const columns = `n.id, n.number, n.pool_id as "poolId", n.name, n.public_key as "publicKey", n.state, n.returns_to as "returnsTo", n.labels, n.inventory,
  n.capabilities, n.agent_version as "agentVersion", n.incarnation, n.last_seen_at as "lastSeenAt", n.last_diagnostic as "lastDiagnostic", n.generation, n.seq, n.version`;

export const readNode = (q: Queryable, nodeId: string): Promise<NodeRow | undefined> =>
  q.one<NodeRow>(`select ${columns} from compute.node n where n.id = $1`, [nodeId]);

export const readNodeByKey = (q: Queryable, publicKey: string): Promise<NodeRow | undefined> =>
  q.one<NodeRow>(`select ${columns} from compute.node n where n.public_key = $1`, [publicKey]);

/** What changed of a pool's nodes after `seq`; from the beginning, the ones that are there. */
export const readNodesAfter = (q: Queryable, poolId: string, seq: number): Promise<NodeRow[]> =>
  q.rows<NodeRow>(`select ${columns} from compute.node n where n.pool_id = $1 and n.seq > $2 and (n.state <> 'removed' or $2 > 0) order by n.seq`, [
    poolId,
    seq,
  ]);

export interface NodeFilter {
  poolIds: string[];
  state: NodeState | undefined;
  before: number | undefined;
  count: number;
}

/** Newest first. Removed ones are shown only when asked for. */
export const readNodePage = (q: Queryable, f: NodeFilter): Promise<NodeRow[]> =>
  q.rows<NodeRow>(
    `select ${columns} from compute.node n
     where n.pool_id = any($1) and ($2::text is null and n.state <> 'removed' or n.state = $2) and ($3::bigint is null or n.number < $3)
     order by n.number desc limit $4`,
    [f.poolIds, f.state, f.before, f.count],
  );

/** Silent for too long, by pool. */
export const readSilentNodes = (q: Queryable, seenBefore: number, count: number): Promise<{ id: string; poolId: string }[]> =>
  q.rows(
    `select id, pool_id as "poolId" from compute.node where state in ('ready', 'draining', 'quarantined') and last_seen_at < $1 order by last_seen_at limit $2`,
    [seenBefore, count],
  );

export const readOfflineNodeIds = async (q: Queryable, poolId: string): Promise<Set<string>> =>
  new Set((await q.rows<{ id: string }>(`select id from compute.node where pool_id = $1 and state = 'offline'`, [poolId])).map((row) => row.id));

export interface NewNode {
  id: string;
  poolId: string;
  tokenId: string;
  name: string;
  publicKey: string;
  labels: Record<string, string>;
  seq: number;
  now: number;
}

export const insertNode = (q: Queryable, n: NewNode): Promise<number> =>
  q.run(
    `insert into compute.node (id, pool_id, token_id, name, public_key, state, labels, seq, created_at) values ($1, $2, $3, $4, $5, 'joining', $6, $7, $8)`,
    [n.id, n.poolId, n.tokenId, n.name, n.publicKey, JSON.stringify(n.labels), n.seq, n.now],
  );

/** Writes what can change of a node, as its next version. */
export const updateNode = (q: Queryable, n: NodeRow): Promise<number> =>
  q.run(
    `update compute.node set state = $2, returns_to = $3, inventory = $4, capabilities = $5, agent_version = $6, incarnation = $7, last_seen_at = $8, seq = $9,
       version = version + 1 where id = $1`,
    [
      n.id,
      n.state,
      n.returnsTo,
      n.inventory && JSON.stringify(n.inventory),
      JSON.stringify(n.capabilities),
      n.agentVersion,
      n.incarnation,
      n.lastSeenAt,
      n.seq,
    ],
  );

export const writeDiagnostic = (q: Queryable, nodeId: string, diagnostic: NonNullable<NodeRow['lastDiagnostic']>): Promise<number> =>
  q.run('update compute.node set last_diagnostic = $2, version = version + 1 where id = $1', [nodeId, JSON.stringify(diagnostic)]);

/** A heartbeat that changes nothing else. False when the node went offline, was removed or started anew meanwhile. */
export const touchNode = async (q: Queryable, nodeId: string, incarnation: number, now: number): Promise<boolean> =>
  (await q.run(
    `update compute.node set last_seen_at = greatest(last_seen_at, $3) where id = $1 and incarnation = $2 and state in ('ready', 'draining', 'quarantined')`,
    [nodeId, incarnation, now],
  )) === 1;

/** Of these GPUs, those that another node has that was not removed. */
export const readForeignGpus = (q: Queryable, nodeId: string, uuids: string[]): Promise<{ uuid: string }[]> =>
  q.rows(`select g.uuid from compute.gpu g join compute.node n on n.id = g.node_id where g.uuid = any($2) and n.id <> $1 and n.state <> 'removed'`, [
    nodeId,
    uuids,
  ]);

/** What a node does not report any more may turn up elsewhere, once nobody has a claim on it. */
export const leaveGpus = (q: Queryable, nodeId: string, uuids: string[]): Promise<number> =>
  q.run(`delete from compute.gpu g where g.node_id = $1 and not g.uuid = any($2) and not exists (select from compute.claim c where c.gpu = g.number)`, [
    nodeId,
    uuids,
  ]);

/** The GPUs a node reports become its own. Answers those that are another living node's and so were not taken. */
export async function takeGpus(q: Queryable, nodeId: string, uuids: string[]): Promise<string[]> {
  const rows = await q.rows<{ uuid: string }>(
    `insert into compute.gpu (uuid, node_id) select uuid, $1 from unnest($2::text[]) uuid
     on conflict (uuid) do update set node_id = $1
       where compute.gpu.node_id = $1 or (select state from compute.node where id = compute.gpu.node_id) = 'removed'
     returning uuid`,
    [nodeId, uuids],
  );
  const taken = new Set(rows.map((row) => row.uuid));
  return uuids.filter((uuid) => !taken.has(uuid));
}
