import type { KeyObject } from 'node:crypto';
import { WebSocket } from 'ws';
import type { Devices } from '../devices/devices.ts';
import { signatureOf } from '../identity/key.ts';
import { limits } from '../limits.ts';
import { type Facts, messageOf, PROTOCOL, type Work } from '../protocol/messages.ts';
import type { Timers } from '../timers.ts';
import type { Outbox } from './outbox.ts';

export interface SessionOptions {
  url: URL;
  nodeId: string;
  incarnation: number;
  agentVersion: string;
  key: KeyObject;
  devices: Devices;
  outbox: Outbox;
  timers: Timers;
  /** Monotonic milliseconds. */
  now(): number;
  /** In [0, 1). */
  random(): number;
  /** The plane has accepted the hello, or wishes something else now. */
  desired(generation: number, works: Work[]): void;
  fault(error: unknown): void;
  /** Once; nothing else is called after it. */
  ended(code: number): void;
}

/** One connection to the plane, from dialling to its end. */
export class Session {
  private readonly o: SessionOptions;
  private readonly socket: WebSocket;
  private readonly stops: (() => void)[] = [];
  private heardAt: number;
  private seq = 0;
  private isAccepted = false;
  private isBeating = false;
  private isEnded = false;

  constructor(o: SessionOptions) {
    this.o = o;
    this.heardAt = o.now();
    this.socket = new WebSocket(o.url, { perMessageDeflate: false, maxPayload: limits.frameBytesMax, followRedirects: false });
    // what is wrong shows in the close that follows
    this.socket.on('error', () => {});
    this.socket.on('close', (code) => this.end(code));
    for (const sign of ['ping', 'pong', 'message']) this.socket.on(sign, () => (this.heardAt = o.now()));
    this.socket.on('message', (data) => void this.received((data as Buffer).toString()).catch((error: unknown) => this.failed(error)));
    this.stops.push(o.timers.after(limits.helloMs, () => !this.isAccepted && this.cut()));
  }

  /** Closes in good order, or soon in any. */
  close(): void {
    this.socket.close(1000);
    this.stops.push(this.o.timers.after(limits.closeMs, () => this.cut()));
  }

  /** Without waiting for the other side, which may be gone. */
  cut(): void {
    this.socket.terminate();
    this.end(1006);
  }

  /** Sends what has been put into the outbox. */
  flush(): void {
    if (this.isAccepted) for (const result of this.o.outbox.take()) this.send(result);
  }

  private end(code: number): void {
    if (this.isEnded) return;
    this.isEnded = true;
    for (const stop of this.stops) stop();
    this.o.ended(code);
  }

  private failed(error: unknown): void {
    this.o.fault(error);
    this.cut();
  }

  private async received(text: string): Promise<void> {
    const message = messageOf(text);
    if (this.isEnded || !message) return;
    if (message.type === 'challenge') await this.hello(message.nonce);
    else if (message.type === 'desired') this.accepted(message.generation, message.works);
    else {
      await this.o.outbox.acknowledged(message.seq);
      this.flush();
    }
  }

  private async hello(nonce: string): Promise<void> {
    const { nodeId, incarnation, agentVersion, devices, key } = this.o;
    const facts: Facts = await devices.probe(nodeId);
    const members = { type: 'hello', nodeId, incarnation, protocol: PROTOCOL, agentVersion, ...facts };
    this.send({ ...members, signature: signatureOf(key, { ...members, nonce }) });
  }

  private accepted(generation: number, works: Work[]): void {
    if (!this.isAccepted) {
      this.isAccepted = true;
      this.o.outbox.restart();
      const beat = (): void => void this.beat().catch((error: unknown) => this.failed(error));
      this.stops.push(this.everyInterval(beat), this.o.devices.watch(beat));
    }
    this.o.desired(generation, works);
    this.flush();
  }

  /** From some moment of the first interval on: nodes that came back together must not all beat together from then on. */
  private everyInterval(beat: () => void): () => void {
    const { timers, random } = this.o;
    let stop = timers.after(Math.round(random() * limits.heartbeatMs), () => {
      beat();
      stop = timers.every(limits.heartbeatMs, beat);
    });
    return () => stop();
  }

  private async beat(): Promise<void> {
    if (this.o.now() - this.heardAt >= limits.idleMs) return this.cut();
    // a machine that does not answer sends no heartbeat: that is how the plane learns of it
    if (this.isBeating) return;
    this.isBeating = true;
    const load = await this.o.devices.load();
    this.isBeating = false;
    this.send({ type: 'heartbeat', seq: ++this.seq, load, gpuHealth: this.o.devices.gpuHealth() });
    if (this.socket.readyState === WebSocket.OPEN) this.socket.ping();
  }

  private send(message: object): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }
}
