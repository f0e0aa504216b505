import { waitMs } from '../agent/backoff.ts';
import { StateFile } from '../identity/state-file.ts';
import { limits } from '../limits.ts';
import { joinUrl } from '../protocol/address.ts';
import { NodeRefusal } from '../refusal.ts';
import { systemTimers, type Timers } from '../timers.ts';
import { postJson } from './post-json.ts';

export interface JoinOptions {
  url: string;
  token: string;
  name: string;
  labels: Record<string, string>;
  stateDir: string;
  timers?: Timers;
  random?(): number;
}

/**
 * Makes a node's key and joins it to the pool of the token (compute.md §4.1). The key is on disk before it is told, so
 * that an answer that was lost can be asked for again. Answers the state of a node that has joined before as it is.
 * Throws the plane's refusal, `UNAVAILABLE` after a few tries, INVALID_CONFIG for a state file that is none.
 */
export async function joinNode(o: JoinOptions): Promise<StateFile> {
  const url = joinUrl(o.url);
  const file = (await StateFile.open(o.stateDir, o.name)) ?? (await StateFile.create(o.stateDir, o.name));
  if (file.state.nodeId !== null) return file;
  const { nodeId } = await patiently(o, () => postJson(url, { token: o.token, publicKey: file.state.publicKey, name: o.name, labels: o.labels }));
  file.state.nodeId = nodeId;
  await file.save();
  return file;
}

const mayPass = (error: unknown): error is NodeRefusal => error instanceof NodeRefusal && (error.code === 'UNAVAILABLE' || error.code === 'RATE_LIMITED');

async function patiently(o: JoinOptions, ask: () => Promise<unknown>): Promise<{ nodeId: string }> {
  for (let failures = 0; ; failures++) {
    try {
      return (await ask()) as { nodeId: string };
    } catch (error) {
      if (!mayPass(error) || failures + 1 >= limits.joinTries) throw error;
      const ms = Math.max(error.retryAfterMs ?? 0, waitMs({ code: 0, failures, random: (o.random ?? Math.random)() }));
      await new Promise<void>((resolve) => (o.timers ?? systemTimers).after(ms, resolve));
    }
  }
}
