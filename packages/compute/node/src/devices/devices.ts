import type { Facts, GpuHealth, Load } from '../protocol/messages.ts';

/** The machine under an agent. The agent's code is the same over a real and a simulated one. */
export interface Devices {
  /** Asked at each start, before anything is said of the machine. */
  probe(nodeId: string): Promise<Facts>;
  load(): Promise<Load>;
  gpuHealth(): GpuHealth;
  /** Calls `fn` when the health of a GPU changes; answers the way to stop. */
  watch(fn: () => void): () => void;
}
