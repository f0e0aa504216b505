import { expect, test } from 'vitest';
import { Works } from '../agent/works.ts';
import type { Devices } from '../devices/devices.ts';
import { createSimulatedDevices } from '../devices/simulated.ts';
import type { Work } from '../protocol/messages.ts';
import { AgentLog } from './agent-log.ts';
import type { Answer } from './kinds.ts';

const machine = { gpus: 2, product: 'H100-SXM5-80GB', gpuMemoryGiB: 80, nvlinkDomain: null, vcpu: 16, memoryGiB: 128 };

function bench(devices: Devices = createSimulatedDevices(machine)) {
  const log = new AgentLog(() => 1_000);
  const answers: (Answer & { workId: string })[] = [];
  const faults: unknown[] = [];
  const works = new Works({ nodeId: 'node_1', devices, log }, () => 1_000);
  const take = async (...wished: Partial<Work>[]): Promise<void> => {
    const whole = wished.map((work, i) => ({ workId: `w${i + 1}`, kind: 'diag.nvml', spec: {}, deadline: null, ...work }));
    works.take(
      whole,
      async (work, answer) => void answers.push({ workId: work.workId, ...answer }),
      (error) => faults.push(error),
    );
    // one at a time, so the answers of all are there when a last one is
    await new Promise<void>((resolve) =>
      works.take(
        [...whole, { ...whole[0]!, workId: 'last', kind: 'none' }],
        async () => resolve(),
        (e) => faults.push(e),
      ),
    );
  };
  return { log, answers, faults, take };
}

test('compute§8 a simulated machine has no NVIDIA driver and says so, sends its inventory, and is never restarted', async () => {
  const { answers, take } = bench();
  await take({ kind: 'diag.nvml' }, { kind: 'inventory.refresh' }, { kind: 'node.reboot' }, { kind: 'constructor' });
  expect(answers).toMatchObject([
    { workId: 'w1', outcome: 'done', detail: { driver: null, reason: expect.stringContaining('simulated') } },
    { workId: 'w2', outcome: 'done', detail: { inventory: { gpus: [{ product: 'H100-SXM5-80GB' }, {}], vcpu: 16 }, capabilities: expect.any(Array) } },
    { workId: 'w3', outcome: 'failed', detail: { reason: 'not-configured' } },
    { workId: 'w4', outcome: 'failed', detail: { reason: 'unsupported-kind', kind: 'constructor' } },
  ]);
});

test('compute§4.1 each work is taken once, an overdue one not at all, and a fault of ours is a failure of that work alone', async () => {
  const devices = createSimulatedDevices(machine);
  const broken: Devices = { ...devices, diagnose: () => Promise.reject(new Error('secret path')) };
  const { answers, faults, log, take } = bench(broken);
  await take({ workId: 'a' }, { workId: 'b', deadline: 1_000, kind: 'inventory.refresh' }, { workId: 'c', deadline: 1_001, kind: 'inventory.refresh' });
  await take({ workId: 'a' }, { workId: 'c', kind: 'inventory.refresh' });
  expect(answers.map(({ workId, outcome, detail }) => [workId, outcome, detail.reason])).toEqual([
    ['a', 'failed', 'fault'],
    ['b', 'expired', 'deadline'],
    ['c', 'done', undefined],
  ]);
  expect(faults).toEqual([]);
  expect(log.latest().map((line) => line.text)).toEqual(['diag.nvml failed: secret path']);
});

test('compute§8 the agent’s log keeps its latest lines, each one line and short', async () => {
  const { log, answers, take } = bench();
  for (let i = 0; i < 1_005; i++) log.add(`line ${i}\nof ${'x'.repeat(300)}`);
  expect(log.latest()).toHaveLength(1_000);
  const [first] = log.latest();
  expect([first!.at, first!.text.length, first!.text.slice(0, 12)]).toEqual([1_000, 256, 'line 5 of xx']);
  await take({ kind: 'logs.collect', spec: { lines: 2 } });
  expect((answers[0]!.detail.lines as { text: string }[]).map((line) => line.text.slice(0, 9))).toEqual(['line 1003', 'line 1004']);
});
