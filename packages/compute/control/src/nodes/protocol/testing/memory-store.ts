import { StoreUnavailable } from '@kit/store';
import { mintId } from '../../../ids.ts';
import { refuse } from '../../../refuse.ts';
import type { Desired, GpuHealth, Result } from '../messages.ts';
import type { JoinInput, NodeStore } from '../node-store.ts';

interface MemoryNode {
  publicKey: string;
  name: string;
  incarnation: number;
  isRemoved: boolean;
  said: Parameters<NodeStore['hello']>[0] | undefined;
  desired: Desired;
}

/** Records of nodes in memory, with the rules that `NodeStore` states; what was asked of it can be looked at. */
export class MemoryStore implements NodeStore {
  readonly nodes = new Map<string, MemoryNode>();
  readonly tokens = new Map<string, { usesLeft: number; isExpired?: boolean }>();
  readonly beats: { nodeId: string; incarnation: number; gpuHealth?: GpuHealth }[] = [];
  readonly results: Result[] = [];
  /** The database is away. */
  isAway = false;
  /** What the next hello is refused with. */
  helloRefusal: Error | undefined;
  /** How often it was asked while away. */
  misses = 0;
  private readonly watchers: (() => void)[] = [];

  async join({ token, publicKey, name }: JoinInput): Promise<{ nodeId: string }> {
    this.reach();
    const row = this.tokens.get(token);
    if (!row || row.isExpired) throw refuse('UNAUTHENTICATED', 'this token lets nobody join');
    const known = [...this.nodes].find(([, node]) => node.publicKey === publicKey);
    if (known) return { nodeId: known[0] };
    if (row.usesLeft === 0) throw refuse('UNAUTHENTICATED', 'this token lets nobody join');
    row.usesLeft--;
    return { nodeId: this.add(publicKey, name) };
  }

  add(publicKey: string, name = 'node'): string {
    const nodeId = mintId('node');
    this.nodes.set(nodeId, { publicKey, name, incarnation: 0, isRemoved: false, said: undefined, desired: { generation: 0, works: [] } });
    return nodeId;
  }

  async publicKeyOf(nodeId: string): Promise<string | undefined> {
    return this.living(nodeId)?.publicKey;
  }

  async hello(said: Parameters<NodeStore['hello']>[0]): ReturnType<NodeStore['hello']> {
    const node = this.living(said.nodeId);
    if (this.helloRefusal) throw this.helloRefusal;
    if (!node) return 'gone';
    if (said.incarnation < node.incarnation) return 'superseded';
    node.incarnation = said.incarnation;
    node.said = said;
    this.changed();
    return 'accepted';
  }

  async heartbeat(beat: { nodeId: string; incarnation: number; gpuHealth?: GpuHealth }): ReturnType<NodeStore['heartbeat']> {
    const node = this.living(beat.nodeId);
    if (!node) return 'gone';
    if (beat.incarnation !== node.incarnation) return 'superseded';
    this.beats.push(beat);
    this.changed();
    return 'accepted';
  }

  async desired(nodeId: string): Promise<Desired | undefined> {
    return this.living(nodeId)?.desired;
  }

  async result(_nodeId: string, result: Result): Promise<void> {
    this.reach();
    this.results.push(result);
    this.changed();
  }

  /** Resolves when `isTrue`, looked at after each change. */
  async until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) await new Promise<void>((resolve) => this.watchers.push(resolve));
  }

  private changed(): void {
    for (const resolve of this.watchers.splice(0)) resolve();
  }

  private living(nodeId: string): MemoryNode | undefined {
    this.reach();
    const node = this.nodes.get(nodeId);
    return node?.isRemoved ? undefined : node;
  }

  private reach(): void {
    if (!this.isAway) return;
    this.misses++;
    this.changed();
    throw new StoreUnavailable('away');
  }
}
