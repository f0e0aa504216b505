import type { Clock } from '../clock.ts';
import { limits } from '../limits.ts';
import type { ConfirmationReader, ConfirmationState } from './confirmations.ts';

/** `unknown`: looking failed, so nothing may be concluded. */
export type Decision = ConfirmationState | 'unknown';

const states: ReadonlySet<unknown> = new Set(['pending', 'approved', 'denied', 'expired'] satisfies ConfirmationState[]);

export interface DecisionWait {
  reader: ConfirmationReader;
  confirmationId: string;
  clock: Clock;
  /** No longer than this, on the monotonic clock. */
  deadline: number;
  /** The client went away: nobody is there to be told. */
  signal: AbortSignal;
  /** Look before the first pause too. */
  looksFirst: boolean;
}

/** Waits for the person (B152): looks every interval, sooner when woken, until decided, timed out or left. `pending` is the time-out. */
export async function awaitDecision(o: DecisionWait): Promise<Decision> {
  const { reader, clock } = o;
  const until = Math.min(clock.monotonic() + (reader.timeoutMs ?? limits.approvalWaitMs), o.deadline);
  const intervalMs = Math.max(1, reader.intervalMs ?? limits.approvalPollMs);
  const waker = wakerOf(o.signal);
  let unwatch: (() => void) | undefined;
  try {
    unwatch = reader.watch?.(o.confirmationId, waker.wake);
    for (let isFirst = true; ; isFirst = false) {
      const left = until - clock.monotonic();
      if (!(isFirst && o.looksFirst)) {
        if (left <= 0 || o.signal.aborted) return 'pending';
        await waker.pause(clock, Math.min(intervalMs, left));
        if (o.signal.aborted) return 'pending';
      }
      const state = await reader.state(o.confirmationId);
      if (!states.has(state)) return 'unknown';
      if (state !== 'pending') return state;
    }
  } catch {
    return 'unknown';
  } finally {
    unwatch?.();
    waker.end();
  }
}

/** A wake that comes while the state is being read cuts the next pause short: no decision is missed. */
function wakerOf(signal: AbortSignal) {
  let isWoken = false;
  let controller = new AbortController();
  const wake = () => {
    isWoken = true;
    controller.abort();
  };
  signal.addEventListener('abort', wake);
  return {
    wake,
    async pause(clock: Clock, ms: number): Promise<void> {
      if (!isWoken) {
        controller = new AbortController();
        await clock.sleep(ms, controller.signal);
      }
      isWoken = false;
    },
    end: () => signal.removeEventListener('abort', wake),
  };
}
