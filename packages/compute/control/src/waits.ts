import type { Database } from '@kit/store';

/** Somebody who waits for one reservation to move. */
interface Waiter {
  /** Resolves when it has moved since the last time, or `ms` have passed, or the caller is gone. */
  next(ms: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

export interface Waits {
  /** From here on no move is missed. */
  open(id: string): Waiter;
  stop(): void;
}

export function createWaits(database: Database): Waits {
  const wakes = new Map<string, Set<() => void>>();
  let unsubscribe: (() => void) | undefined;
  return {
    open(id) {
      unsubscribe ??= database.subscribe((event) => {
        if (event.topic === 'compute.reservation') for (const wake of wakes.get(event.key) ?? []) wake();
      });
      return createWaiter(wakes, id);
    },
    stop() {
      unsubscribe?.();
      unsubscribe = undefined;
    },
  };
}

function createWaiter(wakes: Map<string, Set<() => void>>, id: string): Waiter {
  let hasMoved = false;
  let resume: (() => void) | undefined;
  const wake = (): void => {
    hasMoved = true;
    resume?.();
  };
  const own = wakes.get(id) ?? new Set();
  wakes.set(id, own.add(wake));
  return {
    async next(ms, signal) {
      if (!hasMoved && !signal.aborted) {
        const { promise, resolve } = Promise.withResolvers<void>();
        resume = resolve;
        const timer = setTimeout(resolve, ms);
        signal.addEventListener('abort', resume, { once: true });
        await promise;
        clearTimeout(timer);
        signal.removeEventListener('abort', resume);
      }
      hasMoved = false;
      resume = undefined;
    },
    close() {
      own.delete(wake);
      if (own.size === 0) wakes.delete(id);
    },
  };
}
