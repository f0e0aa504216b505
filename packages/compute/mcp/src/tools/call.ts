import { type ComputeTool, type Operation, parseWith, refusalOf } from '@better-compute/client';
import { awaitDecision, type Decision } from '../approval/await-decision.ts';
import type { Confirmations } from '../approval/confirmations.ts';
import { endedResult, type Hold, holdOf, pendingResult } from '../approval/hold.ts';
import { callerKey, type ToolCaller } from '../caller.ts';
import type { Clock } from '../clock.ts';
import { isPlain, RpcError, rpcCode } from '../json-rpc.ts';
import type { CallLimiter } from '../limiter.ts';
import { limits } from '../limits.ts';
import { cutList, isAware, isCutList } from './catalog.ts';
import type { Origin } from '../transport/origin.ts';
import type { Invoke } from './invoke.ts';
import { mintKey } from './key.ts';
import { type CallToolResult, failed, failure, succeeded } from './result.ts';

export interface CallSettings {
  tools: ReadonlyMap<string, ComputeTool>;
  invokerFor: (origin: Origin) => Invoke;
  limiter: CallLimiter;
  callsPerCaller: number;
  confirmations: Confirmations | undefined;
  maxWaitMs: number;
  approvalUrl: ((confirmationId: string) => string) | undefined;
  clock: Clock;
}

export interface ToolCall {
  name: string;
  args: unknown;
  origin: Origin;
  caller: ToolCaller | undefined;
  /** Asks the person elsewhere, so a new hold is answered at once. */
  asksElsewhere?: boolean;
  /** A hold of an earlier call that goes on with this one. */
  resumed?: Hold;
}

/** `hold` is set while a person has still to decide. */
export interface Outcome {
  result: CallToolResult;
  hold?: Hold;
}

/** The one path of every revision: check, take a place, call as the caller, wait for a person. Rejects with `RpcError` for no tool. */
export async function runCall(s: CallSettings, call: ToolCall): Promise<Outcome> {
  const { tool, args } = checkedCall(s, call.name, call.args);
  let parsed: Record<string, unknown>;
  try {
    parsed = parseWith(tool.arguments, args);
  } catch (error) {
    return { result: failed(error) };
  }
  let release: (() => Promise<void>) | null;
  try {
    release = await s.limiter.acquire(await callerKey(call.origin, call.caller), s.callsPerCaller);
  } catch (error) {
    return { result: failed(error) };
  }
  if (release === null) return { result: busy };
  try {
    return await runTool(s, call, tool, parsed);
  } finally {
    // a place that cannot be given back lapses by itself
    await release().catch(() => {});
  }
}

const busy = failure({ code: 'RATE_LIMITED', message: 'Too many calls of yours are in flight. Try again shortly.', retryAfterMs: limits.busyRetryMs });

export function checkedCall(s: Pick<CallSettings, 'tools'>, name: unknown, args: unknown): { tool: ComputeTool; args: Record<string, unknown> } {
  if (typeof name !== 'string') throw new RpcError(rpcCode.invalidParams, 'params.name must be a string.');
  const tool = s.tools.get(name);
  if (!tool) throw new RpcError(rpcCode.invalidParams, `There is no tool ${JSON.stringify(name.slice(0, 64))}. Use one that tools/list names.`);
  const given = args === undefined ? {} : args;
  if (!isPlain(given)) throw new RpcError(rpcCode.invalidParams, 'params.arguments must be an object, or left out.');
  return { tool, args: given };
}

async function runTool(s: CallSettings, call: ToolCall, tool: ComputeTool, parsed: Record<string, unknown>): Promise<Outcome> {
  const { operation, input } = tool.callOf(parsed);
  const given = call.resumed?.idempotencyKey ?? (typeof parsed.idempotencyKey === 'string' ? parsed.idempotencyKey : undefined);
  // before the first call, so that whatever comes of it can be asked for again (B141)
  const key = given ?? (isAware(tool) && operation.key === 'mint' ? mintKey() : undefined);
  const attempt = attemptOf(s, call, { tool, operation, input, key });
  try {
    if (!isAware(tool) || key === undefined) {
      const value = await attempt();
      return { result: succeeded(isCutList(tool) ? cutList(value) : value, key) };
    }
    return await runAware(s, call, attempt, key);
  } catch (error) {
    return { result: failed(error, key) };
  }
}

type Attempt = () => Promise<unknown>;

/** Each attempt waits for its placement no longer than what is left of the whole call (compute.md §11.3). */
function attemptOf(
  s: CallSettings,
  call: ToolCall,
  o: { tool: ComputeTool; operation: Operation; input: Record<string, unknown>; key: string | undefined },
): Attempt & { deadline: number } {
  const deadline = s.clock.monotonic() + s.maxWaitMs;
  const invoke = s.invokerFor(call.origin);
  const wait = o.input.wait as { timeoutMs: number } | undefined;
  const tenantId = call.caller?.tenantId;
  const attempt = async () => {
    const answer = await invoke(
      o.tool,
      o.operation,
      {
        ...o.input,
        ...(o.key === undefined ? {} : { idempotencyKey: o.key }),
        ...(wait === undefined ? {} : { wait: { timeoutMs: Math.max(0, Math.min(wait.timeoutMs, Math.floor(deadline - s.clock.monotonic()))) } }),
        // last, so that no argument stands in for it (B118)
        ...(tenantId === undefined ? {} : { tenantId }),
      },
      wait === undefined ? undefined : call.origin.signal,
    );
    return o.tool.toAnswer(answer);
  };
  return Object.assign(attempt, { deadline });
}

async function runAware(s: CallSettings, call: ToolCall, attempt: Attempt & { deadline: number }, key: string): Promise<Outcome> {
  const decide = async (hold: Hold, looksFirst: boolean): Promise<Decision | undefined> => {
    const { confirmationId } = hold;
    try {
      const reader = s.confirmations?.(call.origin.whole(), call.caller);
      return reader && (await awaitDecision({ reader, confirmationId, clock: s.clock, deadline: attempt.deadline, signal: call.origin.signal, looksFirst }));
    } catch {
      return 'unknown';
    }
  };
  if (call.resumed) {
    const decision = await decide(call.resumed, true);
    // asking compute again after a no would file a new request with the same person
    if (decision !== undefined && decision !== 'approved') return undecided(call.resumed, decision);
  }
  const first = await heldOr(s, attempt, key);
  if (!first.hold || call.resumed || call.asksElsewhere) return first;
  const decision = await decide(first.hold, false);
  if (decision === undefined) return first;
  return decision === 'approved' ? await heldOr(s, attempt, key) : undecided(first.hold, decision);
}

async function heldOr(s: CallSettings, attempt: Attempt, key: string): Promise<Outcome> {
  try {
    return { result: succeeded(await attempt(), key) };
  } catch (error) {
    const hold = refusalOf(error) && holdOf(error, key, s.approvalUrl);
    if (!hold) throw error;
    return { result: pendingResult(hold), hold };
  }
}

function undecided(hold: Hold, decision: Exclude<Decision, 'approved'>): Outcome {
  if (decision === 'denied' || decision === 'expired') return { result: endedResult(hold, decision) };
  return decision === 'unknown' ? { result: pendingResult(hold, true) } : { result: pendingResult(hold), hold };
}
