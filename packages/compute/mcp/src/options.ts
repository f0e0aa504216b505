import type { Confirmations } from './approval/confirmations.ts';
import type { Clock } from './clock.ts';
import { invalidConfig } from './config-error.ts';
import type { CallLimiter } from './limiter.ts';
import { limits } from './limits.ts';
import { revisions } from './revisions/select.ts';

/** Options of the server (compute.md §11.1). */
export interface McpOptions {
  /** Waits inside a call for the person to decide; without it a held action is answered at once. */
  confirmations?: Confirmations;
  /** Offers `exec_command` and `propose_command_batch`. Give `gateTools` the same. */
  execCommand?: boolean;
  /** Offers `fleet_export` and `fleet_plan`. Give `gateTools` the same. */
  fleet?: boolean;
  /** Default 4 MiB. */
  maxBodyBytes?: number;
  /** Calls of one caller in flight, 1 to 64; default 4. */
  maxConcurrentCallsPerCaller?: number;
  /** Shared by several servers; default: one per process. */
  callLimiter?: CallLimiter;
  /** Replaces the default text whole; '' sends none. */
  instructions?: string;
  /** Narrows the revisions spoken. */
  protocolVersions?: string[];
  /** How long one call waits in all, ms; default 55,000, at most 90,000. */
  maxWaitMs?: number;
  /** Where a person decides; default: what compute says. */
  approvalUrl?: (confirmationId: string) => string;
  /** Signs what a 2026-07-28 client carries between the rounds of a held call, at least 32 characters; without it such calls get the plain result. */
  stateSecret?: string;
  /** Time as a parameter, for tests. */
  clock?: Clock;
}

/** Throws `INVALID_CONFIG` naming the first option nobody can serve with. */
export function checkOptions(o: McpOptions): void {
  checkInteger('maxBodyBytes', o.maxBodyBytes, 1, Number.MAX_SAFE_INTEGER);
  checkInteger('maxConcurrentCallsPerCaller', o.maxConcurrentCallsPerCaller, 1, limits.callsPerCallerMax);
  checkInteger('maxWaitMs', o.maxWaitMs, 0, limits.waitMsMax);
  for (const name of ['confirmations', 'approvalUrl'] as const)
    if (o[name] !== undefined && typeof o[name] !== 'function') throw invalidConfig(`${name} must be a function`);
  if (o.callLimiter !== undefined && typeof o.callLimiter?.acquire !== 'function') throw invalidConfig('callLimiter must have acquire()');
  if (o.instructions !== undefined && typeof o.instructions !== 'string') throw invalidConfig('instructions must be a string');
  if (o.stateSecret !== undefined && !(typeof o.stateSecret === 'string' && o.stateSecret.length >= limits.stateSecretCharsMin))
    throw invalidConfig(`stateSecret must have at least ${limits.stateSecretCharsMin} characters`);
}

function checkInteger(name: string, value: number | undefined, min: number, max: number): void {
  if (value !== undefined && !(Number.isSafeInteger(value) && value >= min && value <= max))
    throw invalidConfig(`${name} must be a whole number from ${min} to ${max}`);
}

/** The revisions spoken, oldest first. */
export function spokenVersions(narrowed: readonly string[] | undefined): string[] {
  const all = revisions.map((revision) => revision.version);
  if (narrowed === undefined) return all;
  const unknown = narrowed.find((version) => !all.includes(version));
  if (unknown !== undefined || narrowed.length === 0) throw invalidConfig(`protocolVersions: ${unknown ?? 'none'} is not one of ${all.join(', ')}`);
  return all.filter((version) => narrowed.includes(version));
}
