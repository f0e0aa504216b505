import { setTimeout as sleep } from 'node:timers/promises';
import { createComputeClient } from '@better-compute/client';
import { medianOf } from '../callers.ts';
import type { Measured } from '../row.ts';
import { startOwnDev } from './dev.ts';
import { signIn } from './held-calls.ts';
import { pssMiB, treeOf } from './process-tree.ts';

/** After it said that it is ready: every node beats three times, every loop goes round, and what was needed for the start alone is given back. */
const SETTLING_MS = 30_000;
/** The time between two heartbeats of a node. */
const LOOKING_MS = 10_000;
const LOOK_MS = 500;

/** A `dev` that was started on a new folder and that nobody uses. */
export async function* idleMemory(): AsyncIterable<Measured> {
  if (process.platform !== 'linux') {
    console.log('SKIPPED host.dev-idle-memory: only Linux tells the memory of a process tree');
    return;
  }
  const dev = await startOwnDev({ hasOwnNode: true });
  try {
    await sleep(SETTLING_MS);
    const values: number[] = [];
    for (const end = performance.now() + LOOKING_MS; performance.now() < end; await sleep(LOOK_MS)) values.push(pssMiB(treeOf(dev.child.pid!)));
    // only now, as asking is using
    const { token } = await signIn(dev);
    const { items } = await createComputeClient({ baseURL: dev.url, token }).nodes.list({ limit: 200 });
    if (items.length === 0 || items.some((node) => node.state !== 'ready')) throw new Error('what is measured must have its nodes');
    yield { id: 'host.dev-idle-memory', value: medianOf(values), unit: 'MiB', must: { atMost: 250 }, goal: { atMost: 150 } };
  } finally {
    await dev.end();
  }
}
