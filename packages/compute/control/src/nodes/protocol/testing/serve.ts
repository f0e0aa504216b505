import { randomBytes } from 'node:crypto';
import { type Listening, listen } from '@kit/http';
import { createNodeEndpoint, type NodeEndpoint, type NodeEndpointOptions } from '../endpoint.ts';
import { ManualTime } from './manual-time.ts';
import { MemoryStore } from './memory-store.ts';
import { helloMembers, type RawKey, type RawNode, rawKey, rawNode, signedHello } from './raw-node.ts';

export interface Served {
  url: string;
  endpoint: NodeEndpoint;
  listening: Listening;
  store: MemoryStore;
  time: ManualTime;
  faults: unknown[];
  /** A node that is known, with its key. */
  known(): { nodeId: string; key: RawKey };
  /** One that has said hello and has its wished state. */
  greeted(o?: { nodeId: string; key: RawKey }, incarnation?: number): Promise<RawNode & { nodeId: string; key: RawKey }>;
  close(): Promise<void>;
}

/** The endpoint behind a real listener, over records in memory unless others are given. */
export async function serveNodes(o: Partial<NodeEndpointOptions> & { port?: number } = {}): Promise<Served> {
  const store = new MemoryStore();
  const time = new ManualTime();
  const faults: unknown[] = [];
  const endpoint = createNodeEndpoint({ store, randomBytes, now: time.now, timers: time, fault: (error) => faults.push(error), ...o });
  const listening = await listen({ host: '127.0.0.1', port: o.port ?? 0, fetch: (request) => endpoint.fetch(request) });
  listening.server.on('upgrade', (incoming, socket, head) => {
    if (!endpoint.upgrade(incoming, socket, head)) socket.destroy();
  });
  const url = `http://127.0.0.1:${listening.port}`;
  const known = (): { nodeId: string; key: RawKey } => {
    const key = rawKey();
    return { nodeId: store.add(key.publicKey), key };
  };
  return {
    url,
    endpoint,
    listening,
    store,
    time,
    faults,
    known,
    async greeted(who = known(), incarnation = 1) {
      const node = await rawNode(url);
      node.send(signedHello(who.key, node.nonce, helloMembers(who.nodeId, incarnation)));
      const desired = await node.next();
      if (desired.type !== 'desired') throw new Error(`${String(desired.type)} after hello`);
      return { ...node, ...who };
    },
    async close() {
      const stopped = endpoint.stop();
      // the nodes of the tests close when asked; the time they are given passes at once
      await Promise.race([stopped, listening.drain(0)]);
      time.advance(1_000);
      await stopped;
    },
  };
}
