import type { Compute } from '../../apps/better-compute/src/host/services.ts';
import { ratePerSecond } from '../callers.ts';

const HEARTBEAT_MS = 10_000;
const TICK_MS = 5;
const AT_ONCE = 16;

export interface Heartbeats {
  /** One of each node now, so that none counts as silent after a time in which another side was measured. */
  ofAll(): Promise<unknown>;
  /** Each node every ten seconds, evenly over that time. */
  start(): { stop(): Promise<void> };
}

export function heartbeatsOf({ nodes }: Compute, nodeIds: readonly string[]): Heartbeats {
  let next = 0;
  const beat = async (): Promise<void> => {
    const verdict = await nodes.heartbeat({ nodeId: nodeIds[next++ % nodeIds.length]!, incarnation: 1 });
    if (verdict !== 'accepted') throw new Error(`a heartbeat was answered ${verdict}`);
  };
  return {
    ofAll: () => ratePerSecond(AT_ONCE, nodeIds.length, beat),
    start() {
      const began = performance.now();
      const beats: Promise<void>[] = [];
      const timer = setInterval(() => {
        const due = Math.floor(((performance.now() - began) * nodeIds.length) / HEARTBEAT_MS);
        while (beats.length < due) beats.push(beat());
      }, TICK_MS);
      return {
        async stop() {
          clearInterval(timer);
          await Promise.all(beats);
        },
      };
    },
  };
}
