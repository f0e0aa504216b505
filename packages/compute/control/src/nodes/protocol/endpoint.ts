import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { answerError, pathnameOf, requestIdOf } from '@kit/http';
import { WebSocketServer } from 'ws';
import { refuse } from '../../refuse.ts';
import { closeCodes } from './close-codes.ts';
import { Connection } from './connection.ts';
import { Connections } from './connections.ts';
import { createJoin } from './join.ts';
import { limits } from './limits.ts';
import type { NodeStore } from './node-store.ts';
import { systemTimers, type Timers } from './timers.ts';

const NONCE_BYTES = 32;
const COME_LATER = 'HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\nretry-after: 1\r\ncontent-length: 0\r\n\r\n';

export interface NodeEndpointOptions {
  store: NodeStore;
  randomBytes(length: number): Uint8Array;
  /** Monotonic or not, milliseconds: waits and windows are measured with it, nothing is dated. */
  now(): number;
  timers?: Timers;
  /** Calls `changed` with nodes of which something else may be wished now; answers the way to stop. Asked with the first node that comes in. */
  follow?(changed: (nodeId: string) => void): () => void;
  clientInfo?(request: Request): { ip?: string };
  fault?(error: unknown, requestId: string): void;
}

/** Where nodes come in (compute.md §4.1, product.md §1 `/node/…`). A node is never called. */
export interface NodeEndpoint {
  /** `POST /node/join`; 404 for anything else. */
  fetch(request: Request): Promise<Response>;
  /** Takes over a socket whose request is for `/node/connect`; false when it is for somebody else. */
  upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** What is wished of a node may have changed: tells it, when it is connected here. */
  changed(nodeId: string): Promise<void>;
  /** Sends every node elsewhere and takes no more. */
  stop(): Promise<void>;
}

export function createNodeEndpoint(o: NodeEndpointOptions): NodeEndpoint {
  const fault = o.fault ?? ((error: unknown) => process.emitWarning(error instanceof Error ? error : String(error)));
  const join = createJoin({ store: o.store, now: o.now, fault, clientInfo: o.clientInfo ?? (() => ({})) });
  const server = new WebSocketServer({ noServer: true, clientTracking: false, perMessageDeflate: false, maxPayload: limits.frameBytesMax });
  const connections = new Connections();
  const timers = o.timers ?? systemTimers;
  const stopTicking = timers.every(limits.tickMs, () => {
    for (const connection of connections) connection.tick();
  });
  let isStopping = false;
  let unfollow: (() => void) | undefined;
  let allClosed: (() => void) | undefined;

  function refuseSocket(socket: Duplex): void {
    socket.on('error', () => {});
    socket.end(COME_LATER, () => socket.destroy());
  }

  async function changed(nodeId: string): Promise<void> {
    await connections.of(nodeId)?.refresh();
  }

  return {
    async fetch(request) {
      if (pathnameOf(request.url) === '/node/join') return await join(request);
      return answerError(refuse('NOT_FOUND', 'there is nothing at this address'), requestIdOf(request));
    },
    upgrade(incoming, socket, head) {
      if (incoming.url?.split('?', 1)[0] !== '/node/connect') return false;
      if (isStopping || !connections.makeRoom(o.now())) {
        refuseSocket(socket);
        return true;
      }
      // a node that could not be told comes again and asks
      unfollow ??= o.follow?.((nodeId) => void changed(nodeId).catch(() => connections.of(nodeId)?.close(closeCodes.tryLater)));
      server.handleUpgrade(incoming, socket, head, (ws) => {
        const nonce = Buffer.from(o.randomBytes(NONCE_BYTES)).toString('base64url');
        const connection = new Connection({
          socket: ws,
          nonce,
          store: o.store,
          now: o.now,
          fault: (error) => fault(error, 'node'),
          greeted: (greeted) => connections.greeted(greeted),
        });
        connections.add(connection);
        ws.on('close', () => {
          connections.delete(connection);
          if (connections.isEmpty) allClosed?.();
        });
      });
      return true;
    },
    changed,
    async stop() {
      isStopping = true;
      unfollow?.();
      stopTicking();
      if (connections.isEmpty) return;
      const closed = new Promise<void>((resolve) => (allClosed = resolve));
      for (const connection of connections) connection.close(closeCodes.restart);
      const spare = timers.after(limits.stopMs, () => {
        for (const connection of connections) connection.terminate();
      });
      await closed;
      spare();
    },
  };
}
