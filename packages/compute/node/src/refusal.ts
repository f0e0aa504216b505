/** What the agent or its plane refuses. The shape is that of every refusal of the product; the class is no schema library's user. */
export class NodeRefusal extends Error {
  override readonly name = 'NodeRefusal';
  readonly code: string;
  readonly status: number;
  readonly retryAfterMs: number | undefined;
  readonly details: Record<string, unknown> | undefined;

  constructor(code: string, status: number, message: string, o: { retryAfterMs?: number | undefined; details?: Record<string, unknown> | undefined } = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.retryAfterMs = o.retryAfterMs;
    this.details = o.details;
  }
}

export const invalidInput = (message: string): NodeRefusal => new NodeRefusal('INVALID_INPUT', 400, message);
export const invalidConfig = (message: string): NodeRefusal => new NodeRefusal('INVALID_CONFIG', 0, message);
