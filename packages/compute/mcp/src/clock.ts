/** Time as a parameter: deadlines are epoch milliseconds, waits are measured by a clock that never jumps (compute.md §13). */
export interface Clock {
  now(): number;
  monotonic(): number;
  /** Resolves after `ms`, or at once when the signal is or gets aborted. Never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener('abort', done, { once: true });
    }),
};
