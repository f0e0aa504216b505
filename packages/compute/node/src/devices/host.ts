import { statfs } from 'node:fs/promises';
import { availableParallelism, freemem, loadavg, totalmem } from 'node:os';
import type { Devices } from './devices.ts';
import { diagnoseNvidia } from './nvidia-smi.ts';

const GIB = 2 ** 30;

const capabilities = ['sandbox', 'limits', 'disk', 'volume', 'snapshot', 'egress', 'browser', 'workspace', 'instance', 'gpu', 'kubernetes'];

const inGiB = (bytes: number): number => Math.floor((bytes / GIB) * 10) / 10;

/**
 * This machine, as far as the agent can tell without drivers: processors, memory and the disk under `dataDir`. It looks
 * for no GPU and proves no capability, and says so, so that nothing is placed here that needs one.
 */
export const createHostDevices = (dataDir: string): Devices => ({
  async probe() {
    const disk = await statfs(dataDir);
    return {
      inventory: { gpus: [], vcpu: availableParallelism(), memoryGiB: inGiB(totalmem()), diskGiB: inGiB(disk.bavail * disk.bsize) },
      capabilities: capabilities.map((name) => ({ name, ok: false, reason: 'this agent has no driver that could prove it' })),
    };
  },
  load: async () => ({ cpu: loadavg()[0]!, memoryGiB: inGiB(totalmem() - freemem()) }),
  gpuHealth: () => [],
  diagnose: () => diagnoseNvidia(),
  watch: () => () => {},
});
