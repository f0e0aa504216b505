import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Agent, createSimulatedDevices, joinNode, type SimulatedDevices, simulatedNodesOf, startAgent, startFleet, StateFile } from '@better-compute/node';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { limits } from './limits.ts';
import { ManualTime } from './testing/manual-time.ts';
import { type Served, serveNodes } from './testing/serve.ts';

const HEARTBEAT_MS = 10_000;

let served: Served;
let stateDir: string;
let time: ManualTime;
let agents: Agent[];
let complaints: string[];
let complained: PromiseWithResolvers<void>;

beforeEach(async () => {
  served = await serveNodes();
  served.store.tokens.set('token', { usesLeft: 1_000 });
  stateDir = mkdtempSync(join(tmpdir(), 'agent-'));
  time = new ManualTime();
  agents = [];
  complaints = [];
  complained = Promise.withResolvers();
});
afterEach(async () => {
  for (const agent of agents) agent.stop();
  await served.close();
  time.advance(60_000);
  await Promise.all(agents.map((agent) => agent.ended));
  rmSync(stateDir, { recursive: true });
  expect(served.faults).toEqual([]);
});

const simulated = (): SimulatedDevices =>
  createSimulatedDevices({ gpus: 2, product: 'H100-SXM5-80GB', gpuMemoryGiB: 80, nvlinkDomain: null, vcpu: 48, memoryGiB: 512 });

const complain = (text: string): void => {
  complaints.push(text);
  complained.resolve();
};

/** Joins and starts one agent; `ready` is not waited for. */
async function start(
  o: { name?: string; urls?: string[]; devices?: SimulatedDevices; random?: () => number } = {},
): Promise<{ agent: Agent; devices: SimulatedDevices; file: StateFile }> {
  const devices = o.devices ?? simulated();
  const file = await joinNode({ url: served.url, token: 'token', name: o.name ?? 'sim-01', labels: {}, stateDir });
  const agent = await startAgent({
    urls: o.urls ?? [served.url],
    file,
    devices,
    timers: time,
    now: time.now,
    random: o.random ?? (() => 0.5),
    complain,
  });
  agents.push(agent);
  return { agent, devices, file };
}

describe('compute§4 simulated nodes', () => {
  test('compute§4 they join with one use each and are known with their GPUs', async () => {
    const nodes = simulatedNodesOf({
      namePrefix: 'sim',
      nodes: 5,
      gpusPerNode: 8,
      product: 'B200-SXM6-180GB',
      gpuMemoryGiB: 180,
      nvlink: 'group',
      vcpu: 224,
      memoryGiB: 4096,
      joinToken: 'token',
    });
    const fleet = await startFleet({ nodes, urls: [served.url], stateDir });
    agents.push(...fleet.agents);
    await fleet.ready;
    expect(served.store.tokens.get('token')!.usesLeft).toBe(995);
    const known = [...served.store.nodes.values()];
    expect(known.map((node) => node.name).sort()).toEqual(['sim-01', 'sim-02', 'sim-03', 'sim-04', 'sim-05']);
    const gpus = known.flatMap((node) => node.said!.inventory.gpus);
    expect(gpus[0]).toMatchObject({ model: 'B200', product: 'B200-SXM6-180GB', memoryGiB: 180, nvlinkDomain: 'nvl-sim', health: 'ok' });
    expect(new Set(gpus.map((gpu) => gpu.uuid)).size).toBe(40);
    expect(known[0]!.said!.capabilities).toContainEqual({ name: 'sandbox', ok: false, reason: 'a simulated machine runs nothing' });
  });

  test('compute§4 keys and ids are kept, one file a node that only its user reads; a second start needs no token', async () => {
    const { agent } = await start();
    await agent.ready;
    const path = join(stateDir, 'sim-01.json');
    expect([statSync(path).mode & 0o777, statSync(stateDir).mode & 0o777]).toEqual([0o600, 0o700]);
    agent.stop();
    await agent.ended;
    const before = served.store.nodes.get(agent.nodeId)!.said!;
    const again = await startAgent({ urls: [served.url], file: (await StateFile.open(stateDir, 'sim-01'))!, devices: simulated() });
    agents.push(again);
    await again.ready;
    expect([again.nodeId, again.incarnation]).toEqual([agent.nodeId, 2]);
    expect(served.store.nodes.get(agent.nodeId)!.said!.inventory).toEqual(before.inventory);
  });

  test('compute§4.1 the incarnation is on disk before anything is said', async () => {
    const { file } = await start();
    await served.close();
    const agent = await startAgent({ urls: [served.url], file, devices: simulated(), timers: time, now: time.now });
    agents.push(agent);
    expect(JSON.parse(readFileSync(join(stateDir, 'sim-01.json'), 'utf8'))).toMatchObject({ nodeId: agent.nodeId, incarnation: 2 });
  });

  test('compute§4.1 a join whose answer was lost is asked for again with the same key', async () => {
    const made = await StateFile.create(stateDir, 'lost');
    const nodeId = served.store.add(made.state.publicKey, 'lost');
    expect((await joinNode({ url: served.url, token: 'token', name: 'lost', labels: {}, stateDir })).state.nodeId).toBe(nodeId);
    await expect(joinNode({ url: served.url, token: 'wrong', name: 'other', labels: {}, stateDir })).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      status: 401,
    });
  });

  test('compute§4.1 a join waits out a plane that is away, a few times', async () => {
    served.store.isAway = true;
    const joining = joinNode({ url: served.url, token: 'token', name: 'patient', labels: {}, stateDir, timers: time, random: () => 0.5 });
    await time.untilWaiting(60_000);
    served.store.isAway = false;
    time.advance(60_000);
    expect((await joining).state.nodeId).toMatch(/^node_/);
  });
});

describe('compute§4.1 heartbeats of an agent', () => {
  test('compute§4.1 every 10 s, and at once when a GPU fails', async () => {
    const { agent, devices } = await start();
    await agent.ready;
    const { beats } = served.store;
    time.advance(HEARTBEAT_MS);
    await served.store.until(() => beats.length === 1);
    devices.setHealth(1, 'failed');
    await served.store.until(() => beats.length === 2);
    expect(beats[0]).toEqual({ nodeId: agent.nodeId, incarnation: 1 });
    expect(beats[1]!.gpuHealth!.map((gpu) => gpu.health)).toEqual(['ok', 'failed']);
  });

  test('compute§4.1 nodes that came at the same moment beat at different ones, each every 10 s', async () => {
    for (const [name, at] of [
      ['sim-01', 0.2],
      ['sim-02', 0.7],
    ] as const) {
      const { agent } = await start({ name, random: () => at });
      await agent.ready;
    }
    const { beats } = served.store;
    for (const [ms, count] of [
      [2_000, 1],
      [5_000, 2],
      [5_000, 3],
      [5_000, 4],
    ] as const) {
      time.advance(ms);
      await served.store.until(() => beats.length >= count);
      expect(beats).toHaveLength(count);
    }
    expect(new Set(beats.map((beat) => beat.nodeId)).size).toBe(2);
  });

  test('compute§4 a machine that hangs sends none, and is back when it answers', async () => {
    const { agent, devices } = await start();
    await agent.ready;
    devices.freeze();
    time.advance(2 * HEARTBEAT_MS);
    // the other node's heartbeat shows that everything sent before has arrived
    const other = await start({ name: 'sim-02' });
    await other.agent.ready;
    other.devices.setHealth(0, 'failed');
    await served.store.until(() => served.store.beats.length === 1);
    expect(served.store.beats[0]!.nodeId).toBe(other.agent.nodeId);
    devices.thaw();
    await served.store.until(() => served.store.beats.some((beat) => beat.nodeId === agent.nodeId));
  });
});

describe('compute§4.1 connections of an agent', () => {
  test('compute§4.1 after a restart of the plane it comes back, with the same incarnation', async () => {
    const { agent } = await start();
    await agent.ready;
    const { store } = served;
    await served.close();
    const after = await serveNodes({ port: served.listening.port, store });
    store.nodes.get(agent.nodeId)!.said = undefined;
    await time.untilWaiting(1_000);
    time.advance(1_000);
    await store.until(() => store.nodes.get(agent.nodeId)!.said !== undefined);
    expect(store.nodes.get(agent.nodeId)!.said!.incarnation).toBe(1);
    agent.stop();
    await agent.ended;
    await after.close();
  });

  test('compute§4.1 when its replica drains it goes to another one', async () => {
    const second = await serveNodes({ store: served.store });
    const { agent } = await start({ urls: [served.url, second.url] });
    await agent.ready;
    served.store.nodes.get(agent.nodeId)!.said = undefined;
    await served.endpoint.stop();
    await time.untilWaiting(1_000);
    time.advance(1_000);
    await served.store.until(() => served.store.nodes.get(agent.nodeId)!.said !== undefined);
    agent.stop();
    await agent.ended;
    await second.close();
  });

  test('compute§4.1 a plane that answers nothing for 30 s is left', async () => {
    const silent = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    const connections: WebSocket[] = [];
    const second = new Promise<void>((resolve) =>
      silent.on('connection', (socket) => {
        if (connections.push(socket) === 2) resolve();
        socket.send(JSON.stringify({ type: 'challenge', nonce: 'n' }));
        socket.once('message', () => socket.send(JSON.stringify({ type: 'desired', generation: 0, works: [] }), () => socket.pause()));
      }),
    );
    await once(silent, 'listening');
    const { agent } = await start({ urls: [`http://127.0.0.1:${(silent.address() as AddressInfo).port}`], random: () => 0 });
    await agent.ready;
    time.advance(limits.idleMs);
    await time.untilWaiting(1_000);
    time.advance(1_000);
    await second;
    for (const socket of connections) socket.terminate();
    silent.close();
  });

  test('compute§4.1 a later start of the same node ends the earlier agent', async () => {
    const first = await start();
    await first.agent.ready;
    const second = await start();
    expect(await first.agent.ended).toBe('superseded');
    await second.agent.ready;
    expect(complaints).toEqual(['sim-01: a later start of this node is connected: this one ends']);
  });

  test('compute§4.1 a node that was removed says why, and asks again in half a minute to a minute', async () => {
    const { agent } = await start();
    await agent.ready;
    served.store.nodes.get(agent.nodeId)!.isRemoved = true;
    await served.endpoint.changed(agent.nodeId);
    await complained.promise;
    expect(complaints).toHaveLength(1);
    served.store.nodes.get(agent.nodeId)!.isRemoved = false;
    served.store.nodes.get(agent.nodeId)!.said = undefined;
    time.advance(45_000);
    await served.store.until(() => served.store.nodes.get(agent.nodeId)!.said !== undefined);
  });
});

describe('compute§4.1 results of an agent', () => {
  const works = (deadline: number | null = null) => [{ workId: 'w1', kind: 'sandbox', spec: {}, deadline }];

  test('compute§4.1 work it cannot do fails and overdue work has expired, each said once', async () => {
    const { agent, file } = await start();
    await agent.ready;
    const node = served.store.nodes.get(agent.nodeId)!;
    node.desired = { generation: 1, works: [...works(), { ...works(1)[0]!, workId: 'w2' }] };
    await served.endpoint.changed(agent.nodeId);
    await served.store.until(() => served.store.results.length === 2);
    node.desired = { generation: 2, works: works() };
    await served.endpoint.changed(agent.nodeId);
    node.desired = { generation: 3, works: [...works(), { ...works()[0]!, workId: 'w3' }] };
    await served.endpoint.changed(agent.nodeId);
    await served.store.until(() => served.store.results.length === 3);
    expect(served.store.results.map(({ workId, outcome, generation, incarnation }) => ({ workId, outcome, generation, incarnation }))).toEqual([
      { workId: 'w1', outcome: 'failed', generation: 1, incarnation: 1 },
      { workId: 'w2', outcome: 'expired', generation: 1, incarnation: 1 },
      { workId: 'w3', outcome: 'failed', generation: 3, incarnation: 1 },
    ]);
    expect(file.state.name).toBe('sim-01');
  });

  test('compute§4.1 what is not acknowledged stays on disk and is sent again', async () => {
    const { agent, file } = await start();
    await agent.ready;
    served.store.nodes.get(agent.nodeId)!.desired = { generation: 1, works: works() };
    await served.endpoint.changed(agent.nodeId);
    // the plane does not take the result: its database is away by then
    served.store.isAway = true;
    await served.store.until(() => served.store.misses > 0);
    expect(JSON.parse(readFileSync(join(stateDir, 'sim-01.json'), 'utf8')).results).toMatchObject([{ workId: 'w1', outcome: 'failed' }]);
    const { store } = served;
    await served.close();
    store.isAway = false;
    const after = await serveNodes({ port: served.listening.port, store });
    await time.untilWaiting(1_000);
    time.advance(1_000);
    await store.until(() => store.results.length > 0);
    while (file.state.results.length > 0) await new Promise((resolve) => setImmediate(resolve));
    agent.stop();
    await agent.ended;
    await after.close();
  });
});
