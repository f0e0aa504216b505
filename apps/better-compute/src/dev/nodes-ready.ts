import { setTimeout as sleep } from 'node:timers/promises';
import type { Plane } from '../host/plane.ts';
import type { World } from './world-file.ts';

const POLL_MS = 25;

/** Waits until so many nodes are ready, so that the first call of a new world finds its machines; after `limitMs` it goes on all the same. */
export async function nodesReady(plane: Plane, world: World, o: { count: number; limitMs: number }): Promise<boolean> {
  const { token } = (await plane.iam.api.auth.signIn({ organization: world.demo.slug, email: world.person.email, password: world.person.password })) as {
    token: string;
  };
  const client = plane.compute.client(token);
  for (const until = performance.now() + o.limitMs; performance.now() < until; await sleep(POLL_MS)) {
    const { items } = await client.nodes.list({ limit: 200 });
    if (items.filter((node) => node.state === 'ready').length >= o.count) return true;
  }
  return false;
}
