import { GPUS_PER_NODE_MAX } from '../limits.ts';
import type { GpuShape, NodeShape } from '../node.ts';
import { HostClaims } from './host.ts';
import { Times } from './times.ts';

/** A claim inside the fold: host resources in thousandths of a vCPU and MiB, GPUs as bits of its node. */
export interface ClaimRow {
  readonly claimId: string;
  readonly reservationId: string;
  readonly slot: Slot;
  readonly gpuMask: number;
  readonly from: number;
  to: number;
  readonly cpuMilli: number;
  readonly memoryMib: number;
  readonly spot: boolean;
}

interface SlotGpu {
  uuid: string;
  /** Null: only a claim remembers this GPU. */
  shape: GpuShape | null;
}

/** One node of the fold. A GPU keeps its bit as long as the node or a claim knows it. */
export class Slot {
  readonly nodeId: string;
  /** Its place among the fold's slots, once they are settled. */
  index = -1;
  /** What the shuffled order sorts by. */
  readonly order: number;
  shape: NodeShape | null = null;
  readonly gpus: SlotGpu[] = [];
  readonly times = new Times();
  readonly host = new HostClaims();
  readonly rows: ClaimRow[] = [];
  /** GPUs the node has, and those of them that take work. */
  present = 0;
  usable = 0;
  /** Known NVLink domains and their GPUs here; a GPU whose domain is unknown is in none. */
  domains: { id: number; mask: number }[] = [];
  cpuMilli = 0;
  memoryMib = 0;

  constructor(nodeId: string, order: number) {
    this.nodeId = nodeId;
    this.order = order;
  }

  get isSchedulable(): boolean {
    return this.shape?.schedulable === true;
  }

  /** `domainOf` gives names of NVLink domains their number. */
  take(shape: NodeShape | null, domainOf: (name: string) => number): void {
    this.shape = shape;
    this.cpuMilli = Math.floor((shape?.vcpu ?? 0) * 1000);
    this.memoryMib = Math.floor((shape?.memoryGiB ?? 0) * 1024);
    for (const gpu of this.gpus) gpu.shape = null;
    for (const gpu of shape?.gpus ?? []) this.gpu(this.bitOf(gpu.uuid)).shape = gpu;
    this.present = this.usable = 0;
    const domains = new Map<number, number>();
    this.gpus.forEach((gpu, bit) => {
      if (!gpu.shape) return;
      this.present |= 1 << bit;
      if (gpu.shape.healthy && this.isSchedulable) this.usable |= 1 << bit;
      if (gpu.shape.nvlinkDomain === null) return;
      const id = domainOf(gpu.shape.nvlinkDomain);
      domains.set(id, (domains.get(id) ?? 0) | (1 << bit));
    });
    this.domains = [...domains].map(([id, mask]) => ({ id, mask }));
  }

  /** The bit of a GPU; an unknown one gets the first bit that neither node nor claim needs. */
  bitOf(uuid: string): number {
    const known = this.gpus.findIndex((gpu) => gpu.uuid === uuid);
    if (known >= 0) return known;
    const idle = this.gpus.findIndex((gpu, i) => !gpu.shape && this.times.count(i) === 0 && !this.shape?.gpus.some((g) => g.uuid === gpu.uuid));
    const bit = idle >= 0 ? idle : this.gpus.length;
    if (bit >= GPUS_PER_NODE_MAX) throw new RangeError(`node ${this.nodeId} has more than ${GPUS_PER_NODE_MAX} GPUs`);
    this.gpus[bit] = { uuid, shape: null };
    this.times.reserve(bit);
    return bit;
  }

  gpu(bit: number): SlotGpu {
    return this.gpus[bit] as SlotGpu;
  }
}
