/** What the transport knows of a call; the service adds who it was, for the access log. */
export interface CallContext {
  /** The presented token; undefined when there was none. Never logged. */
  readonly token: string | undefined;
  readonly isCookie: boolean;
  /** It carries an `Origin`: the answer may set cookies. */
  readonly isBrowser: boolean;
  readonly requestId: string;
  /** Only what the deployment vouches for (iam.md §6): no forwarding header is ever read here. */
  readonly clientIp: string | undefined;
  readonly userAgent: string | undefined;
  readonly signal: AbortSignal;
  /** Headers for the answer, such as the session cookie. */
  readonly answerHeaders: Headers;
  /** Filled by the service: who called, where, and what came of it. */
  readonly access: { tenantId?: string; principalId?: string; agentId?: string; delegationId?: string };
}

/** One line of the access log: no secret, no input (product.md §8). */
export interface AccessLine {
  requestId: string;
  operation: string;
  status: number;
  code?: string;
  durationMs: number;
  tenantId?: string;
  principalId?: string;
  agentId?: string;
  delegationId?: string;
}
