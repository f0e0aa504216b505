import { DoubleClaim } from './claim.ts';
import type { Claim } from './claim.ts';
import type { NodeShape } from './node.ts';
import { type ClaimRow, Slot } from './slot.ts';

/** Nodes in their fixed shuffled order, and every claim on them: the pool's ledger folded over time (compute.md §5.3). */
export class Fold {
  readonly seed: number;
  /** In shuffled order; `slot.index` is the position. */
  readonly slots: Slot[] = [];
  /** Changes when nodes come, go or change in what selectors can see. */
  shapeVersion = 0;
  private readonly byNode = new Map<string, Slot>();
  private readonly byClaim = new Map<string, ClaimRow>();

  constructor(seed: number) {
    this.seed = seed;
  }

  setNode(node: NodeShape): void {
    const slot = this.slotOf(node.nodeId);
    if (!slot.shape || selectableOf(slot.shape) !== selectableOf(node)) this.shapeVersion++;
    slot.take(node);
  }

  removeNode(nodeId: string): void {
    const slot = this.byNode.get(nodeId);
    if (!slot) return;
    slot.take(null);
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
      const other = slot.timeline(bit).blocker(claim.from, claim.to);
      if (other) throw new DoubleClaim(claim.claimId, other.claimId, uuid);
      gpuMask |= 1 << bit;
    }
    const { claimId, from, to } = claim;
    const host = { cpuMilli: Math.round(claim.vcpu * 1000), memoryMib: Math.round(claim.memoryGiB * 1024) };
    this.add({ claimId, reservationId: claim.reservationId ?? claimId, slot, gpuMask, from, to, ...host, spot: claim.spot === true });
  }

  add(row: ClaimRow): void {
    this.byClaim.set(row.claimId, row);
    row.slot.rows.push(row);
    row.slot.cpuSum += row.cpuMilli;
    row.slot.memorySum += row.memoryMib;
    eachTimeline(row, (timeline) => timeline.insert(row));
  }

  remove(row: ClaimRow): void {
    const { slot } = row;
    this.byClaim.delete(row.claimId);
    slot.rows.splice(slot.rows.indexOf(row), 1);
    slot.cpuSum -= row.cpuMilli;
    slot.memorySum -= row.memoryMib;
    eachTimeline(row, (timeline) => timeline.remove(row));
  }

  moveEnd(row: ClaimRow, to: number): void {
    row.to = to;
    eachTimeline(row, (timeline) => timeline.moveEnd(row));
  }

  end(claimId: string, at: number): void {
    const row = this.byClaim.get(claimId);
    if (!row || at >= row.to) return;
    if (at > row.from) this.moveEnd(row, at);
    else this.forget(row);
  }

  prune(before: number): void {
    for (const row of [...this.byClaim.values()]) if (row.to <= before) this.forget(row);
  }

  private forget(row: ClaimRow): void {
    this.remove(row);
    if (!row.slot.shape) this.dropIfEmpty(row.slot);
  }

  private slotOf(nodeId: string): Slot {
    const known = this.byNode.get(nodeId);
    if (known) return known;
    const slot = new Slot(nodeId, orderOf(this.seed, nodeId));
    const at = this.slots.findIndex((s) => s.order > slot.order || (s.order === slot.order && s.nodeId > nodeId));
    this.slots.splice(at < 0 ? this.slots.length : at, 0, slot);
    this.byNode.set(nodeId, slot);
    this.renumber();
    return slot;
  }

  private dropIfEmpty(slot: Slot): void {
    if (slot.rows.length > 0) return;
    this.byNode.delete(slot.nodeId);
    this.slots.splice(slot.index, 1);
    this.renumber();
  }

  private renumber(): void {
    this.slots.forEach((slot, index) => {
      slot.index = index;
    });
    this.shapeVersion++;
  }
}

function eachTimeline(row: ClaimRow, visit: (timeline: ReturnType<Slot['timeline']>) => void): void {
  for (let mask = row.gpuMask; mask !== 0; mask &= mask - 1) visit(row.slot.timeline(31 - Math.clz32(mask & -mask)));
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
