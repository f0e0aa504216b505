import { type Claim, createLedger, DoubleClaim, type Ledger } from '@better-compute/placement';
import type { Queryable } from '@kit/store';
import { limits } from '../limits.ts';
import type { GpuNames } from './names.ts';
import { shapeOf } from '../nodes/shape.ts';
import { type NodeRow, readNodesAfter } from '../nodes/store.ts';
import type { PoolRow } from '../pools/store.ts';
import { type LedgerRow, readLedgerAfter } from './store.ts';

/** All replicas shuffle nodes alike. */
const SEED = 1;

/** A pool's ledger folded in this process's memory, up to `seq` and `nodeSeq`. */
export interface PoolFold {
  readonly ledger: Ledger;
  seq: number;
  nodeSeq: number;
  /** By node, as last taken: a slow reader must not bring an older state back. */
  readonly nodes: Map<string, NodeRow>;
  /** Claims that have not ended. */
  readonly claims: Map<string, Claim>;
  prunedAt: number;
  /** What `names.ts` made of the nodes, and of which change. */
  names?: { nodeSeq: number; names: GpuNames };
}

export interface Folds {
  /** The pool's fold, at least as new as `pool`: missing rows are read, never guessed. */
  caughtUp(q: Queryable, pool: PoolRow, now: number): Promise<PoolFold>;
  /** After a transaction that did not commit, memory is ahead of the truth: it is read anew. */
  drop(poolId: string): void;
}

export function createFolds(): Folds {
  const folds = new Map<string, PoolFold>();
  async function caughtUp(q: Queryable, pool: PoolRow, now: number): Promise<PoolFold> {
    const known = folds.get(pool.id);
    const fold = known ?? (await loaded(q, pool, now));
    folds.set(pool.id, fold);
    try {
      await takeNodes(q, fold, pool);
      while (fold.seq < pool.seq) for (const row of await rowsAfter(q, pool, fold.seq)) takeRow(fold, row);
      return fold;
    } catch (error) {
      // half taken is worse than nothing
      folds.delete(pool.id);
      // a batch acted on it ahead of its lock, and another process was first: the truth is in the database
      if (known && error instanceof DoubleClaim) return caughtUp(q, pool, now);
      throw error;
    }
  }
  return {
    caughtUp,
    drop: (poolId) => {
      folds.delete(poolId);
    },
  };
}

/** A fold from nothing: of each claim only what holds in the end is taken, and nothing that is over. */
async function loaded(q: Queryable, pool: PoolRow, now: number): Promise<PoolFold> {
  const fold: PoolFold = { ledger: createLedger({ seed: SEED }), seq: 0, nodeSeq: 0, nodes: new Map(), claims: new Map(), prunedAt: now };
  await takeNodes(q, fold, pool);
  const latest = new Map<string, LedgerRow>();
  while (fold.seq < pool.seq) {
    for (const row of await rowsAfter(q, pool, fold.seq)) {
      fold.seq = row.seq;
      if (row.to > now && row.to > row.from) latest.set(row.claimId, row);
      else latest.delete(row.claimId);
    }
  }
  for (const row of latest.values()) takeClaim(fold, row);
  return fold;
}

async function rowsAfter(q: Queryable, pool: PoolRow, seq: number): Promise<LedgerRow[]> {
  const rows = await readLedgerAfter(q, pool.id, seq);
  if (rows.length === 0) throw new Error(`the ledger of ${pool.id} ends at ${seq}, before ${pool.seq}`);
  return rows;
}

/** Nodes come before claims, so that a claim finds its GPUs in their places. */
async function takeNodes(q: Queryable, fold: PoolFold, pool: PoolRow): Promise<void> {
  if (fold.nodeSeq >= pool.nodeSeq) return;
  for (const row of await readNodesAfter(q, pool.id, fold.nodeSeq)) takeNode(fold, row, pool);
  fold.nodeSeq = Math.max(fold.nodeSeq, pool.nodeSeq);
}

export function takeNode(fold: PoolFold, row: NodeRow, pool: Pick<PoolRow, 'config'>): void {
  if ((fold.nodes.get(row.id)?.seq ?? 0) >= row.seq) return;
  fold.nodes.set(row.id, row);
  if (row.state === 'removed') fold.ledger.removeNode(row.id);
  else fold.ledger.setNode(shapeOf(row, pool.config));
}

/** Rows are taken once and in order; one that is known already is no news. */
export function takeRow(fold: PoolFold, row: LedgerRow): void {
  if (row.seq <= fold.seq) return;
  if (row.seq !== fold.seq + 1) throw new Error(`the ledger has a gap after ${fold.seq}`);
  if (row.kind === 'end') {
    fold.ledger.end(row.claimId, row.to);
    fold.claims.delete(row.claimId);
  } else takeClaim(fold, row);
  fold.seq = row.seq;
}

/** As stated, not asked again: whether it fits was decided under the pool's lock, by the nodes as they were then. */
function takeClaim(fold: PoolFold, row: LedgerRow): void {
  const { seq: _seq, kind: _kind, spot, ...rest } = row;
  const claim: Claim = { ...rest, ...(spot ? { spot } : {}) };
  fold.ledger.end(row.claimId, Number.NEGATIVE_INFINITY);
  fold.ledger.claim(claim);
  fold.claims.set(row.claimId, claim);
}

/** Looks at every claim, so not at every batch. */
export function pruneFold(fold: PoolFold, before: number): void {
  if (before - fold.prunedAt < limits.foldPruneMs) return;
  fold.prunedAt = before;
  fold.ledger.prune(before);
  for (const [claimId, claim] of fold.claims) if (claim.to <= before) fold.claims.delete(claimId);
}
