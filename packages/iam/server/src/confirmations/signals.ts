import type { Database } from '@kit/store';
import { type ConfirmationSignal, confirmationTopic } from './notify.ts';

export interface SignalEvent extends ConfirmationSignal {
  confirmationId: string;
}

/** One subscription of the process for all who wait: for one confirmation, or for those of one person. */
export interface Signals {
  /** Called at each change of that confirmation, in any process. */
  watch(confirmationId: string, fn: () => void): () => void;
  all(fn: (event: SignalEvent) => void): () => void;
  close(): void;
}

export function createSignals(db: Database): Signals {
  const byId = new Map<string, Set<() => void>>();
  const listeners = new Set<(event: SignalEvent) => void>();
  let stop: (() => void) | undefined;
  // begun with the first listener: a process that waits for nothing holds no connection for it
  const begin = (): void => {
    stop ??= db.subscribe((event) => {
      if (event.topic !== confirmationTopic) return;
      for (const fn of byId.get(event.key) ?? []) fn();
      for (const fn of listeners) fn({ ...(event.payload as ConfirmationSignal), confirmationId: event.key });
    });
  };
  return {
    watch(confirmationId, fn) {
      begin();
      // a wrapper of its own, so that one function may be given twice
      const own = (): void => fn();
      const fns = byId.get(confirmationId) ?? new Set();
      byId.set(confirmationId, fns.add(own));
      return () => {
        fns.delete(own);
        if (fns.size === 0 && byId.get(confirmationId) === fns) byId.delete(confirmationId);
      };
    },
    all(fn) {
      begin();
      listeners.add(fn);
      return () => {
        listeners.delete(fn);
      };
    },
    close() {
      stop?.();
      stop = undefined;
      byId.clear();
      listeners.clear();
    },
  };
}
