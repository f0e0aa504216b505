import { setTimeout as sleep } from 'node:timers/promises';
import type { Plane } from '../host/plane.ts';

const POLL_MS = 25;

/** Waits until so many nodes are ready, so that the first call of a new world finds its machines; after `limitMs` it goes on all the same. */
export async function nodesReady(plane: Plane, session: string, o: { count: number; limitMs: number }): Promise<boolean> {
  const client = plane.compute.client(session);
  for (const until = performance.now() + o.limitMs; performance.now() < until; await sleep(POLL_MS)) {
    const { items } = await client.nodes.list({ limit: 200 });
    if (items.filter((node) => node.state === 'ready').length >= o.count) return true;
  }
  return false;
}
