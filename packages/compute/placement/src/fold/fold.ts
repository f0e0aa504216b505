import { type Claim, DoubleClaim } from '../claim.ts';
import type { NodeShape } from '../node.ts';
import { lowestOf } from './bits.ts';
import { Glance } from './glance.ts';
import { type ClaimRow, Slot } from './slot.ts';

/** Nodes in their fixed shuffled order, and every claim on them: the pool's ledger folded over time (compute.md §5.3). */
export class Fold {
  /** In shuffled order. */
  readonly slots: Slot[] = [];
  readonly glance = new Glance();
  /** Changes when nodes come, go or change in what requests can tell apart. */
  shapeVersion = 0;
  private readonly seed: number;
  private readonly byNode = new Map<string, Slot>();
  private readonly byClaim = new Map<string, ClaimRow>();
  private readonly domains = new Map<string, number>();
  private isSettled = true;

  constructor(seed: number) {
    this.seed = seed;
  }

  setNode(node: NodeShape): void {
    const slot = this.slotOf(node.nodeId);
    if (!slot.shape || selectableOf(slot.shape) !== selectableOf(node)) this.shapeVersion++;
    this.takeShape(slot, node);
  }

  removeNode(nodeId: string): void {
    const slot = this.byNode.get(nodeId);
    if (!slot) return;
    this.takeShape(slot, null);
    this.shapeVersion++;
    this.dropIfEmpty(slot);
  }

  row(claimId: string): ClaimRow | undefined {
    return this.byClaim.get(claimId);
  }

  rows(): Iterable<ClaimRow> {
    return this.byClaim.values();
  }

  claim(claim: Claim): void {
    if (!(claim.to > claim.from)) throw new RangeError(`claim ${claim.claimId} ends before it starts`);
    if (this.byClaim.has(claim.claimId)) throw new RangeError(`claim ${claim.claimId} is there already`);
    const slot = this.slotOf(claim.nodeId);
    let gpuMask = 0;
    for (const uuid of claim.gpuUuids) {
      const bit = slot.bitOf(uuid);
      if (slot.times.freeMask(1 << bit, claim.from, claim.to) === 0) throw new DoubleClaim(claim.claimId, blockerOf(slot, bit, claim)?.claimId ?? '', uuid);
      gpuMask |= 1 << bit;
    }
    const { claimId, from, to } = claim;
    const host = { cpuMilli: Math.round(claim.vcpu * 1000), memoryMib: Math.round(claim.memoryGiB * 1024) };
    this.add({ claimId, reservationId: claim.reservationId ?? claimId, slot, gpuMask, from, to, ...host, spot: claim.spot === true });
  }

  add(row: ClaimRow): void {
    this.byClaim.set(row.claimId, row);
    row.slot.rows.push(row);
    row.slot.host.insert(row.from, row.to, row);
    eachBit(row, (bit) => row.slot.times.insert(bit, row.from, row.to));
    this.glance.forget(row.slot.index);
  }

  remove(row: ClaimRow): void {
    const { slot } = row;
    this.byClaim.delete(row.claimId);
    slot.rows.splice(slot.rows.indexOf(row), 1);
    slot.host.remove(row.from, row.to, row);
    eachBit(row, (bit) => slot.times.remove(bit, row.from));
    this.glance.forget(slot.index);
  }

  moveEnd(row: ClaimRow, to: number): void {
    row.slot.host.moveEnd(row.from, row.to, row, to);
    row.to = to;
    eachBit(row, (bit) => row.slot.times.moveEnd(bit, row.from, to));
    this.glance.forget(row.slot.index);
  }

  end(claimId: string, at: number): void {
    const row = this.byClaim.get(claimId);
    if (!row || at >= row.to) return;
    if (at > row.from) this.moveEnd(row, at);
    else this.forget(row);
  }

  prune(before: number): void {
    for (const row of this.byClaim.values()) if (row.to <= before) this.forget(row);
  }

  /** Numbers the slots by their place, after some came or went. */
  settle(): void {
    if (this.isSettled) return;
    this.isSettled = true;
    for (const [index, slot] of this.slots.entries()) slot.index = index;
    this.glance.reset(this.slots.length);
  }

  private forget(row: ClaimRow): void {
    this.remove(row);
    if (!row.slot.shape) this.dropIfEmpty(row.slot);
  }

  private takeShape(slot: Slot, shape: NodeShape | null): void {
    slot.take(shape, (name) => {
      const id = this.domains.get(name) ?? this.domains.size;
      this.domains.set(name, id);
      return id;
    });
    this.glance.forget(slot.index);
  }

  private slotOf(nodeId: string): Slot {
    const known = this.byNode.get(nodeId);
    if (known) return known;
    const slot = new Slot(nodeId, orderOf(this.seed, nodeId));
    this.slots.splice(this.placeOf(slot), 0, slot);
    this.byNode.set(nodeId, slot);
    this.isSettled = false;
    this.shapeVersion++;
    return slot;
  }

  private dropIfEmpty(slot: Slot): void {
    if (slot.rows.length > 0) return;
    this.byNode.delete(slot.nodeId);
    this.slots.splice(this.placeOf(slot), 1);
    slot.index = -1;
    this.isSettled = false;
    this.shapeVersion++;
  }

  /** Where the slot is or belongs in the shuffled order. */
  private placeOf(slot: Slot): number {
    let low = 0;
    let high = this.slots.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.slots[middle] as Slot;
      if (other.order < slot.order || (other.order === slot.order && other.nodeId < slot.nodeId)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function eachBit(row: ClaimRow, visit: (bit: number) => void): void {
  for (let mask = row.gpuMask; mask !== 0; mask &= mask - 1) visit(lowestOf(mask));
}

function blockerOf(slot: Slot, bit: number, claim: Claim): ClaimRow | undefined {
  return slot.rows.find((row) => row.gpuMask & (1 << bit) && row.from < claim.to && row.to > claim.from);
}

/** The place of a node in the shuffled order depends on seed and id alone, so replicas agree whatever they heard first (FNV-1a, then mixed). */
function orderOf(seed: number, nodeId: string): number {
  let h = (0x811c9dc5 ^ seed) >>> 0;
  for (let i = 0; i < nodeId.length; i++) h = Math.imul(h ^ nodeId.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

function selectableOf(node: NodeShape): string {
  const gpus = node.gpus.map((gpu) => [gpu.uuid, gpu.model, gpu.product, gpu.memoryGiB, gpu.nvlinkDomain]);
  return JSON.stringify([node.region ?? null, Object.entries(node.labels).sort(), gpus]);
}
