import { type Code, type ConflictReason, computeService, type InvalidStateReason } from '@better-compute/contract';
import { type ApiError, refusal } from '@kit/operation';

/** A refusal of this service; the status is the code's. */
export const refuse = (code: Code, message: string, details?: Record<string, unknown>, retryAfterMs?: number): ApiError =>
  refusal(computeService, code, message, { ...(details ? { details } : {}), ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });

/** Absent, of another tenant, not offered, or not for the caller's eyes: one answer, one text (compute.md §2, Not yours). */
export const notFound = (): ApiError => refuse('NOT_FOUND', 'there is no such object, or it is not yours to see');

export const accessDenied = (message = 'your permissions do not allow this'): ApiError => refuse('ACCESS_DENIED', message);

export const invalidInput = (path: string, message: string): ApiError => refuse('INVALID_INPUT', `${path}: ${message}`, { path });

export const invalidState = (state: string, reason: InvalidStateReason, message: string): ApiError => refuse('INVALID_STATE', message, { state, reason });

/** No node can be given such work: agents of this release have no driver for it (compute.md §4.2). */
export const noCapableNode = (what: string): ApiError => invalidState('unavailable', 'no-capable-node', `no node of this pool has proved that it can ${what}`);

export const conflict = (reason: ConflictReason, message: string): ApiError => refuse('CONFLICT', message, { reason });
