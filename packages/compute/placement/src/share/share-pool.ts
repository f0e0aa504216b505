import type { Kind } from '../potential/potential.ts';

/** A machine whose GPUs are handed out in thousandths; `kind` is what demands may be limited to (its GPU model). */
export interface ShareNode {
  cpuMilli: number;
  memoryMib: number;
  gpus: number;
  kind: string;
}

/** `gpus` GPUs with `gpuMilli` of each; `gpus` 0 = CPU and memory only. `kinds` null = any. */
export interface Demand {
  gpus: number;
  gpuMilli: number;
  cpuMilli: number;
  memoryMib: number;
  kinds: readonly string[] | null;
}

/** What is left on every node, in flat arrays. GPU `i` of node `n` is `rest[n * stride + i]`; a GPU the node does not have has nothing left. */
export class SharePool {
  readonly size: number;
  readonly stride: number;
  readonly kinds: Kind[];
  readonly kind: Int32Array;
  readonly gpus: Int32Array;
  readonly cpu: Int32Array;
  readonly memory: Int32Array;
  readonly rest: Int32Array;
  readonly idle: Int32Array;
  /** Equal for nodes in the same state; different ones may collide. */
  readonly hash: Int32Array;

  constructor(nodes: readonly ShareNode[]) {
    this.size = nodes.length;
    this.stride = Math.max(1, ...nodes.map((node) => node.gpus));
    this.kinds = [...Map.groupBy(nodes, (node) => node.kind)].map(([name, ofKind]) => ({ name, gpus: ofKind.reduce((sum, node) => sum + node.gpus, 0) }));
    const names = this.kinds.map((kind) => kind.name);
    this.kind = Int32Array.from(nodes, (node) => names.indexOf(node.kind));
    this.gpus = Int32Array.from(nodes, (node) => node.gpus);
    this.cpu = Int32Array.from(nodes, (node) => node.cpuMilli);
    this.memory = Int32Array.from(nodes, (node) => node.memoryMib);
    this.idle = Int32Array.from(nodes, (node) => node.gpus * 1000);
    this.rest = new Int32Array(this.size * this.stride);
    nodes.forEach((node, n) => {
      this.rest.fill(1000, n * this.stride, n * this.stride + node.gpus);
    });
    this.hash = new Int32Array(this.size);
    for (let n = 0; n < this.size; n++) this.rehash(n);
  }

  /** Per kind, whether the demand may go there. */
  allowed(demand: Demand): Uint8Array {
    return Uint8Array.from(this.kinds, ({ name }) => (demand.kinds === null || demand.kinds.includes(name) ? 1 : 0));
  }

  fits(n: number, demand: Demand, allowed: Uint8Array): boolean {
    if ((this.cpu[n] as number) < demand.cpuMilli || (this.memory[n] as number) < demand.memoryMib || allowed[this.kind[n] as number] === 0) return false;
    if ((this.idle[n] as number) < demand.gpus * demand.gpuMilli) return false;
    return demand.gpus === 0 || this.gpusWith(n, demand.gpuMilli) >= demand.gpus;
  }

  gpusWith(n: number, milli: number): number {
    const { rest, stride } = this;
    let count = 0;
    for (let i = n * stride; i < (n + 1) * stride; i++) if ((rest[i] as number) >= milli && (rest[i] as number) > 0) count++;
    return count;
  }

  /** Takes the demand from the node: a single share from the given GPU, else from the fitting GPUs with least left. */
  take(n: number, demand: Demand, gpu?: number): void {
    this.cpu[n] = (this.cpu[n] as number) - demand.cpuMilli;
    this.memory[n] = (this.memory[n] as number) - demand.memoryMib;
    for (let k = 0; k < demand.gpus; k++) this.takeShare(n, k === 0 && gpu !== undefined ? gpu : this.tightest(n, demand.gpuMilli), demand.gpuMilli);
    this.rehash(n);
  }

  /** Whether two nodes are in the same state, so that every demand finds the same there. */
  isSame(a: number, b: number): boolean {
    if (this.hash[a] !== this.hash[b] || this.kind[a] !== this.kind[b] || this.cpu[a] !== this.cpu[b] || this.memory[a] !== this.memory[b]) return false;
    for (let i = 0; i < this.stride; i++) if (this.rest[a * this.stride + i] !== this.rest[b * this.stride + i]) return false;
    return true;
  }

  /** The GPU with least left that has `milli`; -1 when none has. */
  tightest(n: number, milli: number): number {
    let best = -1;
    let least = Infinity;
    for (let i = 0; i < this.stride; i++) {
      const left = this.rest[n * this.stride + i] as number;
      if (left >= milli && left > 0 && left < least) {
        least = left;
        best = i;
      }
    }
    return best;
  }

  private rehash(n: number): void {
    let h = Math.imul((this.kind[n] as number) ^ (this.cpu[n] as number), 0x9e3779b1) ^ (this.memory[n] as number);
    for (let i = n * this.stride; i < (n + 1) * this.stride; i++) h = Math.imul((h ^ (h >>> 15)) + (this.rest[i] as number), 0x85ebca6b);
    this.hash[n] = h ^ (h >>> 13);
  }

  private takeShare(n: number, gpu: number, milli: number): void {
    const i = n * this.stride + gpu;
    this.rest[i] = (this.rest[i] as number) - milli;
    this.idle[n] = (this.idle[n] as number) - milli;
  }
}
