import type { Group } from '../group.ts';
import { approval } from './approval.ts';
import { growth } from './growth.ts';
import { idleMemory } from './idle-memory.ts';
import { withSizes } from './sizes.ts';

/** The whole process as people meet it (compute.md §12). */
export const host: Group = {
  name: 'host',
  async *run() {
    yield* approval();
    yield* idleMemory();
    yield* withSizes({ nodes: 1_000, reservations: 0 }, { nodes: 100, reservations: 0 }, (ten, one) => growth('host.10x-nodes', ten, one));
    // 10,400 GPUs on both sides
    yield* withSizes({ nodes: 1_300, reservations: 10_000 }, { nodes: 1_300, reservations: 1_000 }, (ten, one) => growth('host.10x-reservations', ten, one));
  },
};
