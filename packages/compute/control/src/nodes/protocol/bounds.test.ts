import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { limits } from './limits.ts';
import { heartbeat, rawNode } from './testing/raw-node.ts';
import { type Served, serveNodes } from './testing/serve.ts';

let served: Served;
beforeEach(async () => {
  served = await serveNodes();
});
afterEach(async () => {
  expect(served.faults).toEqual([]);
  await served.close();
});

describe('compute§15 bounds of a connection', () => {
  test('compute§15 a frame of 1 MiB is read, a larger one ends the connection', async () => {
    const whole = await served.greeted();
    const padded = (length: number): string => {
      const text = JSON.stringify({ ...heartbeat(1), padding: '' });
      return text.replace('"padding":""', `"padding":"${'x'.repeat(length - text.length)}"`);
    };
    whole.send(padded(1_048_576));
    await served.store.until(() => served.store.beats.length === 1);
    const tooLarge = await served.greeted();
    tooLarge.send(padded(1_048_577));
    expect((await tooLarge.closed).code).toBe(1009);
  });

  test('compute§15 who says no hello in 10 s is closed', async () => {
    const node = await rawNode(served.url);
    served.time.advance(limits.helloMs - 1);
    expect(node.socket.readyState).toBe(WebSocket.OPEN);
    served.time.advance(limits.tickMs);
    expect((await node.closed).code).toBe(4408);
  });

  test('compute§15 a node that answers pings stays, one that answers nothing for 30 s is cut', async () => {
    const [alive, dead] = [await served.greeted(), await served.greeted()];
    // a machine without power answers nothing, not even a close
    dead.socket.pause();
    for (let seconds = 0; seconds < 60; seconds += 10) {
      const pinged = new Promise((resolve) => alive.socket.once('ping', resolve));
      served.time.advance(10_000);
      await pinged;
      alive.send(heartbeat(seconds + 1));
      await served.store.until(() => served.store.beats.length === seconds / 10 + 1);
    }
    dead.socket.resume();
    expect((await dead.closed).code).toBe(1006);
    expect(alive.socket.readyState).toBe(WebSocket.OPEN);
  });

  test('compute§15 more than 200 messages in 10 s are too many, and as many each 10 s are not', async () => {
    const steady = await served.greeted();
    for (let seq = 0; seq < 4 * 50; seq++) {
      if (seq > 0 && seq % 50 === 0) {
        await served.store.until(() => served.store.beats.length === seq);
        served.time.advance(limits.windowMs / 2);
      }
      steady.send(heartbeat(seq));
    }
    await served.store.until(() => served.store.beats.length === 200);
    const hasty = await served.greeted();
    for (let seq = 0; seq <= limits.messagesPerWindow; seq++) hasty.send(heartbeat(seq));
    expect((await hasty.closed).code).toBe(4429);
    expect(steady.socket.readyState).toBe(WebSocket.OPEN);
  });

  test('compute§15 strangers beyond a number are told to come later, and nodes that said hello do not count', async () => {
    const node = await served.greeted();
    const strangers = await Promise.all(Array.from({ length: limits.strangersMax }, () => rawNode(served.url)));
    const refused = new WebSocket(`${served.url.replace('http', 'ws')}/node/connect`);
    const status = await new Promise((resolve) =>
      refused.on('error', () => {}).on('unexpected-response', (_request, response) => resolve(response.statusCode)),
    );
    expect(status).toBe(503);
    strangers[0]!.socket.close();
    await strangers[0]!.closed;
    expect((await served.greeted()).socket.readyState).toBe(WebSocket.OPEN);
    expect(node.socket.readyState).toBe(WebSocket.OPEN);
  });

  test('compute§15 strangers that stay silent give way to a node that comes', async () => {
    const strangers = await Promise.all(Array.from({ length: limits.strangersMax }, () => rawNode(served.url)));
    served.time.advance(limits.strangerPatienceMs);
    expect((await served.greeted()).socket.readyState).toBe(WebSocket.OPEN);
    await strangers[0]!.closed;
    expect(strangers.at(-1)!.socket.readyState).toBe(WebSocket.OPEN);
  });
});

describe('compute§4.1 garbage', () => {
  const frames = fc.oneof(
    fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
    fc.string(),
    fc.json(),
    fc.constantFrom(
      '',
      '[]',
      'null',
      '1',
      '{"type":"hello"}',
      '{"type":"result","seq":1}',
      '{"__proto__":{"type":"heartbeat"}}',
      '{"type":"heartbeat","type":"heartbeat"}',
      '['.repeat(10_000),
    ),
    fc
      .record(
        {
          type: fc.constantFrom('hello', 'heartbeat', 'result', 'ack', 'desired', 'challenge', 'toString'),
          seq: fc.anything(),
          nodeId: fc.anything(),
          gpuHealth: fc.anything(),
        },
        { requiredKeys: ['type'] },
      )
      .map((frame) => JSON.stringify(frame) ?? 'null'),
  );

  test('compute§4.1 no frame of a stranger does more than end its connection', async () => {
    await fc.assert(
      fc.asyncProperty(frames, async (frame) => {
        const node = await rawNode(served.url);
        node.send(frame);
        expect([1007, 4401]).toContain((await node.closed).code);
      }),
      { numRuns: 100 },
    );
    expect((await served.greeted()).nonce).toBeTruthy();
  });

  test('compute§4.1 no frame of a node does more than end its connection', async () => {
    await fc.assert(
      fc.asyncProperty(frames, async (frame) => {
        const node = await served.greeted();
        node.send(frame);
        expect([1007, 4400, 4401]).toContain((await node.closed).code);
      }),
      { numRuns: 100 },
    );
    expect(served.store.beats).toEqual([]);
  });
});

describe('product§1 /node', () => {
  test('product§1 other addresses are not taken', async () => {
    const other = new WebSocket(`${served.url.replace('http', 'ws')}/node/other`);
    await new Promise((resolve) => other.on('error', resolve));
    expect((await fetch(`${served.url}/node/connect`)).status).toBe(404);
  });

  test('product§8 a stop sends nodes elsewhere and takes no more', async () => {
    const nodes = [await served.greeted(), await rawNode(served.url)];
    await served.endpoint.stop();
    expect(await Promise.all(nodes.map(async (node) => (await node.closed).code))).toEqual([1012, 1012]);
    const late = new WebSocket(`${served.url.replace('http', 'ws')}/node/connect`);
    expect(await new Promise((resolve) => late.on('error', () => {}).on('unexpected-response', (_request, response) => resolve(response.statusCode)))).toBe(
      503,
    );
  });

  test('product§8 a stop does not wait for a node that does not answer', async () => {
    const dead = await served.greeted();
    dead.socket.pause();
    const stopped = served.endpoint.stop();
    served.time.advance(limits.stopMs);
    await stopped;
    dead.socket.resume();
    expect([1006, 1012]).toContain((await dead.closed).code);
  });
});
