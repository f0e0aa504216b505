import { createHash } from 'node:crypto';
import type { Gpu, Node } from '@better-compute/client';
import type { Devices } from './devices.ts';

export interface SimulatedMachine {
  gpus: number;
  product: string;
  gpuMemoryGiB: number;
  /** Null: a domain of its own. */
  nvlinkDomain: string | null;
  vcpu: number;
  memoryGiB: number;
}

export interface SimulatedDevices extends Devices {
  setHealth(index: number, health: Gpu['health']): void;
  /** The machine hangs: nothing of it answers until `thaw`. */
  freeze(): void;
  thaw(): void;
}

const DISK_GIB = 3_500;
const IDLE_CPU = 0.5;
const IDLE_MEMORY_GIB = 8;

/** The same GPUs at each start, and no two nodes of the world with one of them. */
function uuidOf(nodeId: string, index: number): string {
  const hex = createHash('sha256').update(`${nodeId}/${index}`).digest('hex');
  return `GPU-${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

const capabilities = (): Node['capabilities'] =>
  ['sandbox', 'limits', 'disk', 'volume', 'snapshot', 'egress', 'browser', 'workspace', 'instance', 'gpu', 'kubernetes'].map((name) => ({
    name,
    ok: name === 'gpu',
    reason: name === 'gpu' ? 'simulated: can be held, not used' : 'a simulated machine runs nothing',
  }));

/** A fake device layer (compute.md §4): GPUs that can be held and can fail, and nothing that runs. */
export function createSimulatedDevices(machine: SimulatedMachine): SimulatedDevices {
  const health: Gpu['health'][] = Array.from({ length: machine.gpus }, () => 'ok');
  const watchers = new Set<() => void>();
  let uuids: string[] = [];
  let thawed = Promise.resolve();
  let thaw = (): void => {};
  return {
    async probe(nodeId) {
      uuids = health.map((_, index) => uuidOf(nodeId, index));
      const model = machine.product.split('-', 1)[0]!;
      const nvlinkDomain = machine.nvlinkDomain ?? `nvl-${nodeId}`;
      const gpus = uuids.map((uuid, index) => ({
        index,
        uuid,
        model,
        product: machine.product,
        memoryGiB: machine.gpuMemoryGiB,
        nvlinkDomain,
        health: health[index]!,
      }));
      return { inventory: { gpus, vcpu: machine.vcpu, memoryGiB: machine.memoryGiB, diskGiB: DISK_GIB }, capabilities: capabilities() };
    },
    async load() {
      await thawed;
      return { cpu: IDLE_CPU, memoryGiB: IDLE_MEMORY_GIB };
    },
    async diagnose() {
      await thawed;
      return { driver: null, reason: 'a simulated machine has no NVIDIA driver' };
    },
    gpuHealth: () => uuids.map((uuid, index) => ({ uuid, health: health[index]! })),
    watch(fn) {
      watchers.add(fn);
      return () => watchers.delete(fn);
    },
    setHealth(index, next) {
      health[index] = next;
      for (const fn of watchers) fn();
    },
    freeze() {
      thaw();
      thawed = new Promise((resolve) => (thaw = resolve));
    },
    thaw: () => thaw(),
  };
}
