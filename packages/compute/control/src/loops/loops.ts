import { sweepCommands } from '../commands/sweep.ts';
import { limits } from '../limits.ts';
import { markSilentNodes } from '../nodes/offline.ts';
import type { Plane } from '../plane.ts';
import { sweepDue } from '../reservations/due.ts';
import { placePending } from '../reservations/place-pending.ts';
import { replaceLost } from '../reservations/replace.ts';
import { createLoop } from './loop.ts';
import { prune } from './prune.ts';

export type LoopName = keyof typeof limits.loopStaleSeconds;

export interface Loops {
  start(): void;
  stop(): Promise<void>;
  /** One round of each, now: deadlines first, then what they made room for. */
  sweep(): Promise<void>;
  lagSeconds(): Record<LoopName, number>;
}

/** Requests record intent, these act. Any replica may run them: each acts under the pool's lock. */
export function createLoops(plane: Plane, fault: (error: unknown) => void): Loops {
  const rounds = [
    { name: 'nodes', everyMs: limits.sweepMs, run: () => markSilentNodes(plane) },
    { name: 'due', everyMs: limits.sweepMs, run: () => sweepDue(plane) },
    { name: 'replace', everyMs: limits.sweepMs, run: () => replaceLost(plane) },
    { name: 'place', everyMs: limits.sweepMs, run: () => placePending(plane) },
    { name: 'commands', everyMs: limits.sweepMs, run: () => sweepCommands(plane) },
    { name: 'prune', everyMs: limits.pruneMs, run: () => prune(plane) },
  ];
  const loops = rounds.map((round) => createLoop({ ...round, fault }));
  const place = loops.find((loop) => loop.name === 'place')!;
  let unsubscribe: (() => void) | undefined;
  return {
    start() {
      unsubscribe ??= plane.database.subscribe((event) => {
        if (event.topic.startsWith('compute.')) place.wake();
      });
      for (const loop of loops) loop.start();
    },
    async stop() {
      unsubscribe?.();
      unsubscribe = undefined;
      await Promise.all(loops.map((loop) => loop.stop()));
    },
    async sweep() {
      for (const { run } of rounds) await run();
    },
    lagSeconds: () => Object.fromEntries(loops.map((loop) => [loop.name, loop.lagSeconds()])) as Record<LoopName, number>,
  };
}
