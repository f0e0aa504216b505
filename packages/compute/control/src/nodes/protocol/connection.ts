import { canonicalJson, refusalOf } from '@kit/operation';
import { StoreUnavailable } from '@kit/store';
import type { WebSocket } from 'ws';
import { closeCodes } from './close-codes.ts';
import { limits } from './limits.ts';
import { type GpuHealth, type Heartbeat, helloOf, isSpoken, messageOf, type Result, readFrame } from './messages.ts';
import type { NodeStore, Verdict } from './node-store.ts';
import { isHelloSigned, isResultSigned } from './signature.ts';

export interface ConnectionOptions {
  socket: WebSocket;
  nonce: string;
  store: NodeStore;
  now(): number;
  fault(error: unknown): void;
  /** The node has proved who it is; ends the connection it had before. */
  greeted(connection: Connection): void;
}

/** One WebSocket of one node: challenge, hello, then heartbeats and results, one at a time and in order. */
export class Connection {
  /** Who it is; undefined until a hello is accepted. */
  node: { nodeId: string; incarnation: number; publicKey: string } | undefined;
  private readonly o: ConnectionOptions;
  readonly openedAt: number;
  private heardAt: number;
  private gpuHealth = '';
  private heartbeatSeq = -1;
  private generation = -1;
  private work: Promise<void> = Promise.resolve();
  private backlog = 0;
  private window = { from: 0, messages: 0 };
  private isClosed = false;

  constructor(o: ConnectionOptions) {
    this.o = o;
    this.openedAt = this.heardAt = o.now();
    // whatever is wrong with a frame (too large, no UTF-8) ends with a close of its own
    o.socket.on('error', () => {});
    o.socket.on('close', () => (this.isClosed = true));
    o.socket.on('pong', () => (this.heardAt = o.now()));
    o.socket.on('message', (data) => this.received(data as Buffer));
    this.send({ type: 'challenge', nonce: o.nonce });
  }

  close(code: number): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.o.socket.close(code);
  }

  terminate(): void {
    this.isClosed = true;
    this.o.socket.terminate();
  }

  /** Ends what says no hello or nothing at all; a ping finds out about the rest. */
  tick(): void {
    const now = this.o.now();
    if (now - this.heardAt >= limits.idleMs) this.terminate();
    else if (this.isClosed) return;
    else if (!this.node && now - this.openedAt >= limits.helloMs) this.close(closeCodes.helloOverdue);
    else if (now - this.heardAt >= limits.pingMs) this.o.socket.ping();
  }

  /** Looks again at what is wished of the node: ends a removed one, sends a later state than it has. */
  async refresh(): Promise<void> {
    if (!this.node) return;
    const desired = await this.o.store.desired(this.node.nodeId);
    if (!desired) return this.close(closeCodes.refused);
    if (desired.generation <= this.generation) return;
    this.generation = desired.generation;
    this.send({ type: 'desired', ...desired });
  }

  private received(data: Buffer): void {
    const now = this.o.now();
    this.heardAt = now;
    if (this.isClosed) return;
    if (now - this.window.from >= limits.windowMs) this.window = { from: now, messages: 0 };
    if (++this.window.messages > limits.messagesPerWindow || this.backlog >= limits.backlogMax) return this.close(closeCodes.tooManyMessages);
    this.backlog++;
    this.work = this.work.then(() => this.handle(data)).finally(() => this.backlog--);
  }

  private async handle(data: Buffer): Promise<void> {
    if (this.isClosed) return;
    try {
      const frame = readFrame(data);
      await (this.node ? this.message(frame) : this.hello(frame));
    } catch (error) {
      const refusal = refusalOf(error);
      // a node that is known keeps its connection through an outage: what is not acknowledged it says again
      if (!this.node) this.close(refusal && refusal.status < 500 ? closeCodes.unfit : closeCodes.tryLater);
      if (!(error instanceof StoreUnavailable) && !refusal) this.o.fault(error);
    }
  }

  private async hello(frame: Record<string, unknown> | undefined): Promise<void> {
    // a later revision may sign otherwise, so the number is looked at before anything else is
    if (frame?.type === 'hello' && typeof frame.protocol === 'number' && !isSpoken(frame.protocol)) return this.close(closeCodes.protocolUnknown);
    const hello = frame && helloOf(frame);
    const publicKey = hello && (await this.o.store.publicKeyOf(hello.nodeId));
    if (!publicKey || !isHelloSigned(frame!, this.o.nonce, publicKey)) return this.close(closeCodes.refused);
    const { type: _type, protocol: _protocol, signature: _signature, ...said } = hello!;
    const verdict = await this.o.store.hello(said);
    if (verdict !== 'accepted') return this.end(verdict);
    if (this.isClosed) return;
    this.node = { nodeId: said.nodeId, incarnation: said.incarnation, publicKey };
    this.gpuHealth = canonicalJson(said.inventory.gpus.map(({ uuid, health }) => ({ uuid, health })));
    this.o.greeted(this);
    if (!this.isClosed) await this.refresh();
  }

  private async message(frame: Record<string, unknown> | undefined): Promise<void> {
    const message = frame && messageOf(frame);
    if (!message) return this.close(closeCodes.malformed);
    if (message.type === 'heartbeat') await this.heartbeat(message);
    else await this.result(message, frame);
  }

  private async heartbeat({ seq, gpuHealth }: Heartbeat): Promise<void> {
    if (seq <= this.heartbeatSeq) return;
    this.heartbeatSeq = seq;
    const { nodeId, incarnation } = this.node!;
    const verdict = await this.o.store.heartbeat({ nodeId, incarnation, ...this.news(gpuHealth) });
    if (verdict !== 'accepted') return this.end(verdict);
    this.gpuHealth = canonicalJson(gpuHealth);
  }

  /** The database is told of a GPU's health when it changes, not each ten seconds. */
  private news(gpuHealth: GpuHealth): { gpuHealth?: GpuHealth } {
    return canonicalJson(gpuHealth) === this.gpuHealth ? {} : { gpuHealth };
  }

  private async result(result: Result, frame: Record<string, unknown>): Promise<void> {
    const { nodeId, incarnation, publicKey } = this.node!;
    if (!isResultSigned(frame, publicKey)) return this.close(closeCodes.refused);
    // nobody has wished for what is of a later start or state than this one
    if (result.incarnation > incarnation || (result.incarnation === incarnation && result.generation > this.generation))
      return this.close(closeCodes.malformed);
    // what an earlier start of the agent did is unknown, whatever it says; it is acknowledged so that it is not said for ever
    if (result.incarnation === incarnation) await this.o.store.result(nodeId, result);
    this.send({ type: 'ack', seq: result.seq });
  }

  private end(verdict: Exclude<Verdict, 'accepted'>): void {
    this.close(verdict === 'gone' ? closeCodes.refused : closeCodes.superseded);
  }

  private send(message: object): void {
    if (!this.isClosed) this.o.socket.send(JSON.stringify(message));
  }
}
