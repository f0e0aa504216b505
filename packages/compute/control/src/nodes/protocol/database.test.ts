import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simulatedNodesOf, startFleet } from '@better-compute/node';
import { listen } from '@kit/http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PLATFORM, POOL, type TestClient, type TestPlane, testPlane } from '../../testing/test-plane.ts';
import { helloMembers, rawKey, rawNode, signedHello } from './testing/raw-node.ts';

let plane: TestPlane;
let root: TestClient;
let url: string;
let stop: () => Promise<void>;

beforeAll(async () => {
  plane = await testPlane();
  await plane.pool();
  root = plane.as({ tenantId: PLATFORM, identityId: 'usr_root' });
  const { nodeEndpoint } = plane.compute;
  const listening = await listen({ host: '127.0.0.1', port: 0, fetch: (request) => nodeEndpoint.fetch(request) });
  listening.server.on('upgrade', (incoming, socket, head) => void nodeEndpoint.upgrade(incoming, socket, head));
  url = `http://127.0.0.1:${listening.port}`;
  stop = async () => {
    await nodeEndpoint.stop();
    await listening.drain(0);
    await plane.close();
  };
});
afterAll(async () => {
  await stop();
});

const token = async (uses: number): Promise<{ id: string; secret: string }> => {
  const made = (await root.nodeTokens.create({ poolId: POOL, uses })).token;
  return { id: made.id, secret: made.secret! };
};

async function joining(secret: string, publicKey = rawKey().publicKey): Promise<{ status: number; nodeId: string | undefined }> {
  const body = JSON.stringify({ token: secret, publicKey, name: 'raced' });
  const response = await fetch(`${url}/node/join`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return { status: response.status, nodeId: ((await response.json()) as { data?: { nodeId: string } }).data?.nodeId };
}

const usesLeft = async (tokenId: string): Promise<number> => (await root.nodeTokens.list({ poolId: POOL })).items.find((one) => one.id === tokenId)!.usesLeft;

describe('compute§4.1 nodes in the database', () => {
  test('compute§4.1 of 20 joins at once with a token of 10 uses, 10 succeed', async () => {
    const { id, secret } = await token(10);
    const answers = await Promise.all(Array.from({ length: 20 }, () => joining(secret)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(new Set(answers.map(({ nodeId }) => nodeId)).size).toBe(11);
    expect(await usesLeft(id)).toBe(0);
  });

  test('compute§4.1 one key joining ten times at once is one node and one use', async () => {
    const { id, secret } = await token(5);
    const { publicKey } = rawKey();
    const answers = await Promise.all(Array.from({ length: 10 }, () => joining(secret, publicKey)));
    expect(new Set(answers.map(({ nodeId }) => nodeId)).size).toBe(1);
    expect(await usesLeft(id)).toBe(4);
  });

  test('compute§14 simulated nodes are ready by their first hello, offline by silence, and ready by the next heartbeat', async () => {
    const stateDir = mkdtempSync(join(tmpdir(), 'nodes-'));
    const { secret } = await token(4);
    const group = {
      namePrefix: 'sim',
      nodes: 4,
      gpusPerNode: 8,
      product: 'H100-SXM5-80GB',
      gpuMemoryGiB: 80,
      nvlink: 'node' as const,
      vcpu: 192,
      memoryGiB: 2048,
    };
    const nodes = simulatedNodesOf({ ...group, joinToken: secret });
    const fleet = await startFleet({ nodes, urls: [url], stateDir });
    await fleet.ready;
    // nobody beats while this looks, however long that takes
    for (const { devices } of nodes) devices.freeze();
    const ids = fleet.agents.map((agent) => agent.nodeId);
    const states = async (): Promise<string[]> => (await Promise.all(ids.map((nodeId) => root.nodes.get({ nodeId })))).map(({ node }) => node.state);
    expect(await states()).toEqual(['ready', 'ready', 'ready', 'ready']);
    plane.advance(31_000);
    await plane.compute.sweep();
    expect(await states()).toEqual(['offline', 'offline', 'offline', 'offline']);
    nodes[0]!.devices.setHealth(0, 'failed');
    nodes[0]!.devices.thaw();
    const first = async () => (await root.nodes.get({ nodeId: fleet.agents.find(({ name }) => name === 'sim-01')!.nodeId })).node;
    // not by an event: one that tells of the silence may still be on its way
    await expect.poll(async () => (await first()).state).toBe('ready');
    expect((await first()).gpus.map((gpu) => gpu.health).join()).toBe('failed,ok,ok,ok,ok,ok,ok,ok');
    fleet.stop();
    await fleet.ended;
    rmSync(stateDir, { recursive: true });
  });

  test('compute§4.1 an older incarnation is refused by another replica too', async () => {
    const key = rawKey();
    const { nodeId } = await joining((await token(1)).secret, key.publicKey);
    const helloAt = async (at: string, incarnation: number) => {
      const node = await rawNode(at);
      const members = helloMembers(nodeId!, incarnation);
      node.send(signedHello(key, node.nonce, { ...members, inventory: { ...members.inventory, gpus: [] } }));
      return await Promise.race([node.next().then((frame) => frame.type), node.closed.then(({ code }) => code)]).catch(async () => (await node.closed).code);
    };
    expect(await helloAt(url, 2)).toBe('desired');
    const { nodeEndpoint } = await plane.another();
    const listening = await listen({ host: '127.0.0.1', port: 0, fetch: (request) => nodeEndpoint.fetch(request) });
    listening.server.on('upgrade', (incoming, socket, head) => void nodeEndpoint.upgrade(incoming, socket, head));
    expect(await helloAt(`http://127.0.0.1:${listening.port}`, 1)).toBe(4409);
    await nodeEndpoint.stop();
    await listening.drain(0);
  });
});
