import { type ComputeClient, type ComputeTool, createComputeClient, type Operation, userAgentOf } from '@better-compute/client';
import { invalidConfig } from '../config-error.ts';
import type { Origin } from '../transport/origin.ts';

/** Calls one operation of compute as the caller, in the name of a tool. Rejects with what the client throws. */
export type Invoke = (tool: ComputeTool, operation: Operation, input: Record<string, unknown>, signal?: AbortSignal) => Promise<unknown>;

export type Upstream = { baseURL: string; fetch?: (request: Request) => Promise<Response> } | { client: ComputeClient };

interface CallOptions {
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/**
 * With `baseURL` every request acts as whoever sent it: its own `Authorization` and request id go with each call, and the client in between holds
 * nothing (B3 to B5, B34). With `client` every caller acts through that one client, which is what `doctor` warns of (B31). The tool's name goes along,
 * for a person reads what a request came through (compute.md §3.4).
 */
export function invokerOf(upstream: Upstream): (origin: Origin) => Invoke {
  const { client: given, baseURL, fetch } = upstream as { client?: ComputeClient; baseURL?: string; fetch?: (request: Request) => Promise<Response> };
  if ((given === undefined) === (baseURL === undefined)) throw invalidConfig('createComputeMcp: give either baseURL or client');
  const client = given ?? createComputeClient({ baseURL: baseURL ?? '', ...(fetch === undefined ? {} : { fetch }) });
  return (origin) => {
    const own = given === undefined ? callerHeaders(origin) : {};
    return (tool, operation, input, signal) =>
      methodOf(client, operation)(input, { headers: { ...own, 'user-agent': userAgentOf(tool) }, ...(signal === undefined ? {} : { signal }) });
  };
}

function methodOf(client: ComputeClient, operation: Operation): (input: unknown, options: CallOptions) => Promise<unknown> {
  const at = operation.id.indexOf('.');
  const groups = client as unknown as Record<string, Record<string, (input: unknown, options: CallOptions) => Promise<unknown>>>;
  return groups[operation.id.slice(0, at)]![operation.id.slice(at + 1)]!;
}

function callerHeaders({ headers }: Origin): Record<string, string> {
  const authorization = headers.get('authorization');
  const requestId = headers.get('x-request-id');
  return {
    ...(authorization === null ? {} : { authorization }),
    'x-request-id': requestId !== null && REQUEST_ID.test(requestId) ? requestId : crypto.randomUUID(),
  };
}
