import { hash } from 'node:crypto';
import { canonicalJson } from '@kit/operation';
import type { JsonValue } from '../iam-port.ts';

/** What makes two calls the same request: the input with its defaults, without who retries it and how long it waits (compute.md §2.3). */
export function canonicalInput(input: Record<string, unknown>): JsonValue {
  const { tenantId: _tenant, idempotencyKey: _key, wait: _wait, note: _note, ...rest } = input;
  return rest as JsonValue;
}

export const digestOf = (operation: string, input: JsonValue): string => hash('sha256', canonicalJson({ operation, input }), 'hex');
