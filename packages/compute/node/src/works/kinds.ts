import type { Devices } from '../devices/devices.ts';
import type { Result, Work } from '../protocol/messages.ts';
import type { AgentLog } from './agent-log.ts';

export type Answer = Pick<Result, 'outcome' | 'detail'>;

/** What works are done with. */
export interface WorkBench {
  nodeId: string;
  devices: Devices;
  log: AgentLog;
}

const done = (detail: object): Answer => ({ outcome: 'done', detail: { ...detail } });

const failed = (reason: string, more: object = {}): Answer => ({ outcome: 'failed', detail: { reason, ...more } });

/** compute.md §8. */
const kinds: Readonly<Record<string, (bench: WorkBench, spec: unknown) => Promise<Answer>>> = {
  'diag.nvml': async ({ devices }) => done(await devices.diagnose()),
  'inventory.refresh': async ({ devices, nodeId }) => done(await devices.probe(nodeId)),
  'logs.collect': async ({ log }, spec) => done({ lines: log.latest((spec as { lines?: number } | null)?.lines) }),
  // no agent has an executable for it: a machine is never restarted by default
  'node.reboot': async () => failed('not-configured'),
};

/** Does one work; of a kind this agent has no driver for it says so. */
export async function doWork(bench: WorkBench, { kind, spec }: Work): Promise<Answer> {
  return Object.hasOwn(kinds, kind) ? await kinds[kind]!(bench, spec) : failed('unsupported-kind', { kind });
}
