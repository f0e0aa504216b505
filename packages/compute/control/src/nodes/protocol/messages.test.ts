import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { heartbeat, rawKey, signedResult } from './testing/raw-node.ts';
import { type Served, serveNodes } from './testing/serve.ts';

let served: Served;
beforeEach(async () => {
  served = await serveNodes();
});
afterEach(async () => {
  expect(served.faults).toEqual([]);
  await served.close();
});

describe('compute§4.1 heartbeats', () => {
  test('compute§4.1 each is told to the records, the health of GPUs only when it changed', async () => {
    const node = await served.greeted();
    for (const frame of [heartbeat(1), heartbeat(2, 'failed'), heartbeat(3, 'failed'), heartbeat(4)]) node.send(frame);
    await served.store.until(() => served.store.beats.length === 4);
    const who = { nodeId: node.nodeId, incarnation: 1 };
    const health = (state: string) => ({ ...who, gpuHealth: [{ uuid: 'GPU-0', health: state }] });
    expect(served.store.beats).toEqual([who, health('failed'), who, health('ok')]);
  });

  test('compute§4.1 one that is no newer than the last is passed over', async () => {
    const node = await served.greeted();
    for (const seq of [5, 5, 4, 6]) node.send(heartbeat(seq));
    node.send(signedResult(node.key, {}));
    expect(await node.next()).toEqual({ type: 'ack', seq: 1 });
    expect(served.store.beats).toHaveLength(2);
  });

  test('compute§4.1 a node that was removed or has started anew elsewhere is cut off', async () => {
    const [removed, replaced] = [await served.greeted(), await served.greeted()];
    served.store.nodes.get(removed.nodeId)!.isRemoved = true;
    served.store.nodes.get(replaced.nodeId)!.incarnation = 2;
    removed.send(heartbeat(1));
    replaced.send(heartbeat(1));
    expect((await removed.closed).code).toBe(4401);
    expect((await replaced.closed).code).toBe(4409);
  });

  test('compute§13 an outage of the database costs no connection', async () => {
    const node = await served.greeted();
    served.store.isAway = true;
    node.send(heartbeat(1, 'failed'));
    node.send(signedResult(node.key, { seq: 7 }));
    await served.store.until(() => served.store.misses === 2);
    served.store.isAway = false;
    node.send(heartbeat(2, 'failed'));
    node.send(signedResult(node.key, { seq: 8 }));
    expect(await node.next()).toEqual({ type: 'ack', seq: 8 });
    expect(served.store.beats.at(-1)).toMatchObject({ gpuHealth: [{ uuid: 'GPU-0', health: 'failed' }] });
  });
});

describe('compute§4.1 wished state and results', () => {
  const works = [{ workId: 'w1', kind: 'sandbox', spec: {}, deadline: null }];

  test('compute§4.1 a later state is sent when it changes, and once', async () => {
    const node = await served.greeted();
    await served.endpoint.changed(node.nodeId);
    served.store.nodes.get(node.nodeId)!.desired = { generation: 1, works };
    await Promise.all([served.endpoint.changed(node.nodeId), served.endpoint.changed(node.nodeId), served.endpoint.changed('node_AAAAAAAAAAAAAAAAAAAAAA')]);
    served.store.nodes.get(node.nodeId)!.desired = { generation: 2, works: [] };
    await served.endpoint.changed(node.nodeId);
    expect([await node.next(), await node.next()]).toEqual([
      { type: 'desired', generation: 1, works },
      { type: 'desired', generation: 2, works: [] },
    ]);
  });

  test('compute§14 a node that was removed is cut off when its records change', async () => {
    const node = await served.greeted();
    served.store.nodes.get(node.nodeId)!.isRemoved = true;
    await served.endpoint.changed(node.nodeId);
    expect((await node.closed).code).toBe(4401);
  });

  test('compute§4.1 a signed result is kept and acknowledged by its number', async () => {
    const node = await served.greeted();
    node.send(signedResult(node.key, { seq: 41, workId: 'w9', outcome: 'failed', detail: { exitCode: 3 } }));
    expect(await node.next()).toEqual({ type: 'ack', seq: 41 });
    expect(served.store.results).toMatchObject([{ workId: 'w9', outcome: 'failed', detail: { exitCode: 3 } }]);
  });

  test('compute§4.1 a result of an earlier start is acknowledged and ignored', async () => {
    const node = await served.greeted(served.known(), 4);
    node.send(signedResult(node.key, { seq: 2, incarnation: 3, generation: 99 }));
    expect(await node.next()).toEqual({ type: 'ack', seq: 2 });
    expect(served.store.results).toEqual([]);
  });

  test.each([
    ['another key', 4401, () => signedResult(rawKey(), {})],
    ['a later start', 4400, (key: ReturnType<typeof rawKey>) => signedResult(key, { incarnation: 2 })],
    ['a state that was never sent', 4400, (key: ReturnType<typeof rawKey>) => signedResult(key, { generation: 1 })],
    ['an outcome that is none', 4400, (key: ReturnType<typeof rawKey>) => signedResult(key, { outcome: 'perhaps' })],
  ])('compute§4.1 a result of %s ends the connection', async (_name, code, resultOf) => {
    const node = await served.greeted();
    node.send(resultOf(node.key));
    expect((await node.closed).code).toBe(code);
    expect(served.store.results).toEqual([]);
  });
});
