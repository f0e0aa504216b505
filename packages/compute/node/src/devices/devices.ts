import type { Facts, GpuHealth, Load } from '../protocol/messages.ts';

/** What `diag.nvml` finds. `driver: null` where there is none, with the reason. */
export type Diagnosis =
  | { driver: null; reason: string }
  | {
      driver: string;
      gpus: {
        index: number;
        uuid: string;
        product: string;
        temperatureC: number | null;
        memoryUsedMiB: number | null;
        memoryMiB: number | null;
        uncorrectedErrors: number | null;
      }[];
    };

/** The machine under an agent. The agent's code is the same over a real and a simulated one. */
export interface Devices {
  /** Asked at each start, before anything is said of the machine. */
  probe(nodeId: string): Promise<Facts>;
  load(): Promise<Load>;
  gpuHealth(): GpuHealth;
  diagnose(): Promise<Diagnosis>;
  /** Calls `fn` when the health of a GPU changes; answers the way to stop. */
  watch(fn: () => void): () => void;
}
