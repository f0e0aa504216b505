import { ApiError } from './api-error.ts';
import type { Operation } from './operation.ts';

/** A service's contract: its operations and the status of every code it can answer. */
export interface Service<Ops extends readonly Operation[] = readonly Operation[]> {
  readonly name: string;
  readonly basePath: string;
  readonly codes: Readonly<Record<string, number>>;
  readonly operations: Ops;
  readonly bodyBytesMax: number;
}

export function service<const Ops extends readonly Operation[]>(o: Service<Ops>): Service<Ops> {
  const seen = new Set<string>();
  for (const op of o.operations) {
    if (seen.has(op.id)) throw new Error(`two operations are called ${op.id}`);
    seen.add(op.id);
  }
  return Object.freeze(o);
}

/** Own-property look-up of `group/method` (iam.md §6, Dispatch): nothing inherited is ever a route. */
export function routesOf(s: Service): ReadonlyMap<string, Operation> {
  return new Map(s.operations.map((op) => [`${s.basePath}/${op.id.replace('.', '/')}`, op]));
}

export const pathOf = (s: Service, op: Operation): string => `${s.basePath}/${op.id.replace('.', '/')}`;

/** Refuses with a code of this service; the status comes from its one table. */
export function refusal(s: Service, code: string, message: string, o: { retryAfterMs?: number; details?: Record<string, unknown> } = {}): ApiError {
  const status = Object.hasOwn(s.codes, code) ? s.codes[code] : undefined;
  if (status === undefined) throw new Error(`${code} is not a code of ${s.name}`);
  return new ApiError(code, status, message, o);
}
