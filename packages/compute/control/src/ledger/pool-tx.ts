import type { Claim, PlacedClaim } from '@better-compute/placement';
import type { Tx } from '@kit/store';
import type { Book } from '../budgets/book.ts';
import { type ChargeRow, insertCharges } from '../budgets/charge-store.ts';
import type { NodePlace } from '../nodes/states.ts';
import { type NodeRow, updateNode } from '../nodes/store.ts';
import type { PoolRow } from '../pools/store.ts';
import { insertReservations, type NewReservation } from '../reservations/store.ts';
import { insertTransitions, type Transition } from '../transitions.ts';
import type { Left } from './ahead.ts';
import { type PoolFold, takeNode, takeRow } from './folds.ts';
import { advancePool, appendLedger, deleteClaims, insertClaims, type LedgerRow, moveClaimEnds } from './store.ts';

type OutboxMessage = Parameters<Tx['publish']>[0];

/**
 * One pool under its lock: what is placed, ended or changed here happens in memory at once and in the database with
 * the transaction. What only adds is kept back and written in one statement each by `flush`.
 */
export class PoolTx {
  readonly tx: Tx;
  readonly row: PoolRow;
  readonly fold: PoolFold;
  /** Budgets of the tenants in whose name something was asked, under their locks; undefined for a tenant that has none. */
  readonly books = new Map<string, Promise<Book | undefined>>();
  /** Tenants of whom this transaction knows whether they have budgets. */
  readonly counted = new Map<string, Promise<boolean>>();
  private readonly ledger: LedgerRow[] = [];
  private readonly reservations: NewReservation[] = [];
  private readonly charges: ChargeRow[] = [];
  private readonly transitions: Transition[] = [];
  private readonly events: OutboxMessage[] = [];
  private readonly remembered = new Set<string>();
  private seq: number;
  private nodeSeq: number;
  private time: number;
  /** Acting on what the batch before left, before the lock is there: whoever does must not rely on what nobody looks at again under it. */
  isAhead = false;

  constructor(tx: Tx, row: PoolRow, fold: PoolFold, now: number) {
    this.tx = tx;
    this.row = row;
    this.fold = fold;
    this.time = now;
    this.seq = row.seq;
    this.nodeSeq = row.nodeSeq;
  }

  static ahead(tx: Tx, left: Left, now: number): PoolTx {
    const pool = new PoolTx(tx, left.row, left.fold, now);
    pool.isAhead = true;
    return pool;
  }

  /** Epoch milliseconds; the same for all that one call does. */
  get now(): number {
    return this.time;
  }

  /** Between two calls: time goes on, and never back. */
  tick(now: number): void {
    this.time = Math.max(this.time, now);
  }

  /** The pool's row once all this is written. */
  get rowAfter(): PoolRow {
    return { ...this.row, seq: this.seq, nodeSeq: this.nodeSeq };
  }

  /** Claims what was placed; answers the new claims' ids. */
  claim(reservationId: string, placed: readonly PlacedClaim[]): string[] {
    return placed.map((place) => {
      const { nodeId, from, to, vcpu, memoryGiB } = place;
      const claimId = `${reservationId}/${this.seq + 1}`;
      this.append('claim', { claimId, reservationId, nodeId, gpuUuids: [...place.gpuUuids], from, to, vcpu, memoryGiB, spot: place.spot === true });
      return claimId;
    });
  }

  /** Ends claims at `at`; before their start they never were. */
  async end(claimIds: readonly string[], at: number): Promise<void> {
    await this.flush();
    for (const claim of this.known(claimIds)) this.append('end', { ...stated(claim), to: Math.min(at, claim.to) });
    await deleteClaims(this.tx, claimIds);
  }

  /** Moves the end of claims; the caller has asked the fold whether their GPUs are free for it. */
  async extend(claimIds: readonly string[], to: number): Promise<void> {
    await this.flush();
    for (const claim of this.known(claimIds)) this.append('extend', { ...stated(claim), to });
    await moveClaimEnds(this.tx, claimIds, to);
  }

  addReservation(row: NewReservation): void {
    this.reservations.push(row);
  }

  addCharge(row: ChargeRow): void {
    this.charges.push(row);
  }

  get unwrittenCharges(): readonly ChargeRow[] {
    return this.charges;
  }

  publish(event: OutboxMessage): void {
    this.events.push(event);
  }

  /** Marks what was written about a request, for calls of the same batch. */
  remember(key: string): void {
    this.remembered.add(key);
  }

  isRemembered(key: string): boolean {
    return this.remembered.has(key);
  }

  note(transition: Transition): void {
    this.transitions.push(transition);
  }

  /** Gives a node its next version; what placement sees of it changes at once. */
  async changeNode(row: NodeRow, change: NodePlace & Partial<NodeRow>, why: { cause: string; by: string }): Promise<NodeRow> {
    const next: NodeRow = { ...row, ...change, seq: ++this.nodeSeq, version: row.version + 1 };
    await updateNode(this.tx, next);
    takeNode(this.fold, next, this.row);
    this.fold.nodeSeq = this.nodeSeq;
    if (next.state !== row.state) this.note({ objectId: row.id, from: row.state, to: next.state, ...why, at: this.now });
    this.publish({ topic: 'compute.node', key: row.id, payload: { poolId: row.poolId, state: next.state } });
    return next;
  }

  /** For a node that was inserted by other means: its place among the changes. */
  nextNodeSeq(): number {
    return ++this.nodeSeq;
  }

  /** Whether any reservation that has not ended has a claim on the node, now or later. */
  carries(nodeId: string): boolean {
    return this.fold.claims.values().some((claim) => claim.nodeId === nodeId && claim.to > this.now);
  }

  /**
   * Writes what was kept back. Called before rows are read that may be among it, and at the end, where nobody waits for it: not `async`, so that what
   * cannot even be sent is thrown there.
   */
  flush(): Promise<unknown> {
    const [ledger, reservations, charges] = [this.ledger.splice(0), this.reservations.splice(0), this.charges.splice(0)];
    const [transitions, events] = [this.transitions.splice(0), this.events.splice(0)];
    const claims = ledger.filter((row) => row.kind === 'claim');
    return Promise.all([
      ledger.length > 0 && appendLedger(this.tx, this.row.id, ledger, this.now),
      claims.length > 0 && insertClaims(this.tx, claims),
      reservations.length > 0 && insertReservations(this.tx, reservations),
      charges.length > 0 && insertCharges(this.tx, charges),
      transitions.length > 0 && insertTransitions(this.tx, transitions),
      ...events.map((event) => this.tx.publish(event)),
      (this.seq !== this.row.seq || this.nodeSeq !== this.row.nodeSeq) && advancePool(this.tx, this.row.id, this.seq, this.nodeSeq),
    ]);
  }

  private append(kind: LedgerRow['kind'], claim: Omit<LedgerRow, 'seq' | 'kind'>): void {
    const row: LedgerRow = { seq: ++this.seq, kind, ...claim };
    takeRow(this.fold, row);
    this.ledger.push(row);
  }

  private known(claimIds: readonly string[]): Claim[] {
    return claimIds.flatMap((claimId) => this.fold.claims.get(claimId) ?? []);
  }
}

function stated(claim: Claim): Omit<LedgerRow, 'seq' | 'kind'> {
  return { ...claim, reservationId: claim.reservationId ?? claim.claimId, gpuUuids: [...claim.gpuUuids], spot: claim.spot === true };
}
