import type { JsonValue } from '../iam-port.ts';

/** A refusal that is an outcome is committed with what led to it: a filed confirmation, a recorded denial, a spent approval. */
export type Outcome = { reply: unknown; objectId?: string; detail?: JsonValue | undefined } | { refusal: unknown };
