import type { KeyObject } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Devices } from '../devices/devices.ts';
import { signingKeyOf } from '../identity/key.ts';
import type { StateFile } from '../identity/state-file.ts';
import { closeCodes, complaintOf } from '../protocol/close-codes.ts';
import { connectUrl } from '../protocol/address.ts';
import type { Work } from '../protocol/messages.ts';
import { invalidConfig } from '../refusal.ts';
import { systemTimers, type Timers } from '../timers.ts';
import { AGENT_VERSION } from '../version.ts';
import { waitMs } from './backoff.ts';
import { Outbox } from './outbox.ts';
import { Session } from './session.ts';
import { AgentLog } from '../works/agent-log.ts';
import type { Answer } from '../works/kinds.ts';
import { Works } from './works.ts';

export interface AgentOptions {
  /** Addresses of the plane; each try takes the next one. */
  urls: readonly string[];
  /** Of a node that has joined. */
  file: StateFile;
  devices: Devices;
  timers?: Timers;
  /** Monotonic milliseconds. */
  now?(): number;
  /** Epoch milliseconds, to compare deadlines with. */
  wallNow?(): number;
  random?(): number;
  /** One line for the operator. */
  complain?(text: string): void;
}

export interface Agent {
  readonly name: string;
  readonly nodeId: string;
  readonly incarnation: number;
  /** The plane has accepted a hello. */
  readonly ready: Promise<void>;
  /** After `stop`, or when a later start of the same node has taken over. */
  readonly ended: Promise<'stopped' | 'superseded'>;
  stop(): void;
}

/**
 * Starts the agent of one node (compute.md §4.1): its incarnation rises and is on disk before anything is said, then it
 * stays connected to one of the plane's replicas. Throws INVALID_CONFIG for a node that has not joined, INVALID_INPUT for a bad address.
 */
export async function startAgent(o: AgentOptions): Promise<Agent> {
  const { state } = o.file;
  if (state.nodeId === null) throw invalidConfig(`${state.name} has not joined`);
  if (o.urls.length === 0) throw invalidConfig('no address to connect to');
  const urls = o.urls.map(connectUrl);
  state.incarnation++;
  await o.file.save();
  return new RunningAgent(o, urls, state.nodeId, state.incarnation);
}

class RunningAgent implements Agent {
  readonly name: string;
  readonly nodeId: string;
  readonly incarnation: number;
  readonly ready: Promise<void>;
  readonly ended: Promise<'stopped' | 'superseded'>;
  private readonly o: AgentOptions;
  private readonly urls: readonly URL[];
  private readonly timers: Timers;
  private readonly key: KeyObject;
  private readonly outbox: Outbox;
  private readonly log: AgentLog;
  private readonly works: Works;
  private readonly resolveReady: () => void;
  private readonly resolveEnded: (how: 'stopped' | 'superseded') => void;
  private session: Session | undefined;
  private cancelWait: () => void = () => {};
  private dials = 0;
  private failures = 0;
  private isStopped = false;

  constructor(o: AgentOptions, urls: readonly URL[], nodeId: string, incarnation: number) {
    this.o = o;
    this.urls = urls;
    this.name = o.file.state.name;
    this.nodeId = nodeId;
    this.incarnation = incarnation;
    this.timers = o.timers ?? systemTimers;
    this.key = signingKeyOf(o.file.state);
    this.outbox = new Outbox(o.file, this.key);
    const wallNow = o.wallNow ?? Date.now;
    this.log = new AgentLog(wallNow);
    this.works = new Works({ nodeId, devices: o.devices, log: this.log }, wallNow);
    const ready = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<'stopped' | 'superseded'>();
    this.ready = ready.promise;
    this.resolveReady = ready.resolve;
    this.ended = ended.promise.then(async (how) => {
      await o.file.settled();
      return how;
    });
    this.resolveEnded = ended.resolve;
    this.connect();
  }

  stop(): void {
    this.isStopped = true;
    this.cancelWait();
    if (this.session) this.session.close();
    else this.resolveEnded('stopped');
  }

  private connect(): void {
    this.session = new Session({
      url: this.urls[this.dials++ % this.urls.length]!,
      nodeId: this.nodeId,
      incarnation: this.incarnation,
      agentVersion: AGENT_VERSION,
      key: this.key,
      devices: this.o.devices,
      outbox: this.outbox,
      timers: this.timers,
      now: this.o.now ?? (() => performance.now()),
      random: this.o.random ?? Math.random,
      desired: (generation, works) => this.desired(generation, works),
      fault: (error) => this.complain(error),
      ended: (code) => this.disconnected(code),
    });
  }

  private desired(generation: number, works: readonly Work[]): void {
    this.failures = 0;
    this.resolveReady();
    this.log.add(`connected; wished state ${generation} with ${works.length} works`);
    const answered = async ({ workId, kind }: Work, answer: Answer): Promise<void> => {
      if (this.isStopped) return;
      this.log.add(`${kind} ${workId}: ${answer.outcome}`);
      await this.outbox.put({ workId, ...answer, incarnation: this.incarnation, generation });
      this.session?.flush();
    };
    this.works.take(works, answered, (error) => this.complain(error));
  }

  private disconnected(code: number): void {
    this.session = undefined;
    this.log.add(`disconnected with code ${code}`);
    if (Object.hasOwn(complaintOf, code)) this.complain(complaintOf[code]!);
    if (this.isStopped || code === closeCodes.superseded) return this.resolveEnded(this.isStopped ? 'stopped' : 'superseded');
    const wait = waitMs({ code, failures: this.failures++, random: (this.o.random ?? Math.random)() });
    this.cancelWait = this.timers.after(wait, () => this.connect());
  }

  private complain(what: unknown): void {
    const text = what instanceof Error ? what.message : String(what);
    this.log.add(text);
    this.o.complain?.(`${this.name}: ${text}`);
  }
}
