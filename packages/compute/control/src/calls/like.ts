import { canonicalJson, Duration, durationMs } from '@kit/operation';
import type { JsonValue } from '../iam-port.ts';

/**
 * The one form of requests for the same thing, by which IAM tells that a request was asked before (iam.md §17.9): `8h` is `480m`, and lists of the API
 * are sets. It admits nothing: approvals are tied to what was written.
 */
export const likeForm = (request: JsonValue): JsonValue =>
  isObject(request)
    ? Object.fromEntries(Object.entries(request).map(([name, value]) => [name, isDuration(value) ? `${durationMs(value)} ms` : unordered(value)]))
    : request;

const isObject = (value: JsonValue): value is { [name: string]: JsonValue } => typeof value === 'object' && value !== null && !Array.isArray(value);
const isDuration = (value: JsonValue): value is string => typeof value === 'string' && Duration.safeParse(value).success;

function unordered(value: JsonValue): JsonValue {
  if (Array.isArray(value))
    return value
      .map((one) => canonicalJson(unordered(one)))
      .sort()
      .map((text) => JSON.parse(text) as JsonValue);
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, unordered(member)])) : value;
}
