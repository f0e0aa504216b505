import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { refuse } from '../../refuse.ts';
import { isSpoken } from './messages.ts';
import { gpu, helloMembers, rawKey, rawNode, signedHello } from './testing/raw-node.ts';
import { type Served, serveNodes } from './testing/serve.ts';

let served: Served;
beforeEach(async () => {
  served = await serveNodes();
});
afterEach(async () => {
  expect(served.faults).toEqual([]);
  await served.close();
});

/** Says a hello on a connection of its own and answers how it ended. */
async function closeAfter(helloOf: (nonce: string) => unknown): Promise<{ code: number; reason: string }> {
  const node = await rawNode(served.url);
  node.send(helloOf(node.nonce));
  return await node.closed;
}

const REFUSED = { code: 4401, reason: '' };

describe('compute§4.1 challenge and hello', () => {
  test('compute§4.1 each connection has a nonce of its own, 32 bytes', async () => {
    const nodes = await Promise.all([rawNode(served.url), rawNode(served.url)]);
    for (const { nonce } of nodes) expect(Buffer.from(nonce, 'base64url')).toHaveLength(32);
    expect(nodes[0]!.nonce).not.toBe(nodes[1]!.nonce);
  });

  test('compute§4.1 a signed hello is kept and answered with the whole wished state', async () => {
    const { nodeId, key } = served.known();
    const node = await rawNode(served.url);
    node.send(signedHello(key, node.nonce, helloMembers(nodeId)));
    expect(await node.next()).toEqual({ type: 'desired', generation: 0, works: [] });
    const { type: _type, protocol: _protocol, ...said } = helloMembers(nodeId);
    expect(served.store.nodes.get(nodeId)!.said).toEqual(said);
  });

  test('compute§4.1 a captured hello is of no use on another connection', async () => {
    const { nodeId, key } = served.known();
    const first = await rawNode(served.url);
    const captured = signedHello(key, first.nonce, helloMembers(nodeId));
    first.send(captured);
    await first.next();
    expect(await closeAfter(() => captured)).toEqual(REFUSED);
  });

  test('compute§4.1 a wrong key, no signature, an unknown node and a removed one look alike', async () => {
    const { nodeId, key } = served.known();
    const removed = served.known();
    served.store.nodes.get(removed.nodeId)!.isRemoved = true;
    expect(await closeAfter((nonce) => signedHello(rawKey(), nonce, helloMembers(nodeId)))).toEqual(REFUSED);
    expect(await closeAfter(() => helloMembers(nodeId))).toEqual(REFUSED);
    expect(await closeAfter((nonce) => signedHello(key, nonce, helloMembers('node_AAAAAAAAAAAAAAAAAAAAAA')))).toEqual(REFUSED);
    expect(await closeAfter((nonce) => signedHello(removed.key, nonce, helloMembers(removed.nodeId)))).toEqual(REFUSED);
    expect(await closeAfter(() => ({ type: 'heartbeat', seq: 1, load: { cpu: 0, memoryGiB: 0 }, gpuHealth: [] }))).toEqual(REFUSED);
  });

  test('compute§4.1 the signature covers every member, also one that is not known here', async () => {
    const { nodeId, key } = served.known();
    const members = helloMembers(nodeId);
    const more = { ...members, inventory: { ...members.inventory, gpus: [gpu, { ...gpu, index: 1, uuid: 'GPU-1' }] } };
    expect(await closeAfter((nonce) => ({ ...signedHello(key, nonce, members), inventory: more.inventory }))).toEqual(REFUSED);
    expect(await closeAfter((nonce) => ({ ...signedHello(key, nonce, members), incarnation: 2 }))).toEqual(REFUSED);
    expect(await closeAfter((nonce) => ({ ...signedHello(key, nonce, members), later: true }))).toEqual(REFUSED);
    const node = await rawNode(served.url);
    node.send(signedHello(key, node.nonce, { ...members, later: true }));
    expect(await node.next()).toMatchObject({ type: 'desired' });
  });

  test('compute§4.1 protocol N and N−1 are understood, others are told so', async () => {
    expect([1, 2, 3, 4].filter((protocol) => isSpoken(protocol, 3))).toEqual([2, 3]);
    expect([0, 1, 2].filter((protocol) => isSpoken(protocol))).toEqual([1]);
    const { nodeId, key } = served.known();
    expect(await closeAfter((nonce) => signedHello(key, nonce, { ...helloMembers(nodeId), protocol: 2 }))).toEqual({ code: 4426, reason: '' });
  });
});

describe('compute§4.1 incarnations', () => {
  test('compute§4.1 a later start replaces the open connection, an earlier one is refused', async () => {
    const who = served.known();
    const fifth = await served.greeted(who, 5);
    const sixth = await served.greeted(who, 6);
    expect((await fifth.closed).code).toBe(4409);
    expect((await closeAfter((nonce) => signedHello(who.key, nonce, helloMembers(who.nodeId, 5)))).code).toBe(4409);
    expect(sixth.socket.readyState).toBe(sixth.socket.OPEN);
    expect(served.store.nodes.get(who.nodeId)!.incarnation).toBe(6);
  });

  test('compute§4.1 the same start may connect again, and its newest connection counts', async () => {
    const who = served.known();
    const first = await served.greeted(who, 3);
    const second = await served.greeted(who, 3);
    expect((await first.closed).code).toBe(4409);
    expect(second.socket.readyState).toBe(second.socket.OPEN);
  });
});

describe('compute§4.1 a hello that cannot be taken', () => {
  test('compute§4.1 what a node cannot be is told apart from a database that is away', async () => {
    const { nodeId, key } = served.known();
    const hello = (nonce: string): object => signedHello(key, nonce, helloMembers(nodeId));
    served.store.helloRefusal = refuse('INVALID_INPUT', "GPU-0 is another node's");
    expect(await closeAfter(hello)).toEqual({ code: 4422, reason: '' });
    served.store.helloRefusal = undefined;
    served.store.isAway = true;
    expect((await closeAfter(hello)).code).toBe(1013);
  });

  test('compute§4.1 a fault of ours is reported and the node is asked to come again', async () => {
    const { nodeId, key } = served.known();
    served.store.helloRefusal = new Error('a bug');
    expect((await closeAfter((nonce) => signedHello(key, nonce, helloMembers(nodeId)))).code).toBe(1013);
    expect(served.faults.splice(0)).toEqual([served.store.helloRefusal]);
  });
});
