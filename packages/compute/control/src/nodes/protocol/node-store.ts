import type { Desired, GpuHealth, Hello, Result } from './messages.ts';

export interface JoinInput {
  token: string;
  publicKey: string;
  name: string;
  labels: Record<string, string>;
}

/** `superseded`: a later incarnation was here; `gone`: not there, or removed. */
export type Verdict = 'accepted' | 'superseded' | 'gone';

/** What the protocol asks of the nodes' records. Anything may reject with `StoreUnavailable`. */
export interface NodeStore {
  /**
   * Uses the token once and makes the node. Rejects with UNAUTHENTICATED for a token that is unknown, expired, used up
   * or revoked. The same key again answers the node it has made.
   */
  join(input: JoinInput): Promise<{ nodeId: string }>;
  /** Undefined for a node that is not there or was removed. */
  publicKeyOf(nodeId: string): Promise<string | undefined>;
  /** Keeps what a node says of itself. Rejects with INVALID_INPUT what it cannot be, such as a GPU of another node. */
  hello(hello: Omit<Hello, 'type' | 'protocol' | 'signature'>): Promise<Verdict>;
  /** `gpuHealth` only when it is not what this connection said last. A node that was counted as offline is back. */
  heartbeat(beat: { nodeId: string; incarnation: number; gpuHealth?: GpuHealth }): Promise<Verdict>;
  /** Undefined when the node was removed. */
  desired(nodeId: string): Promise<Desired | undefined>;
  /** Told at least once; ignores what the work does not wait for, such as a result of an older generation. */
  result(nodeId: string, result: Result): Promise<void>;
}
