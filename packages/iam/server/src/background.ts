/** Work that no caller waits for: times of last use, and records of refusals whose transaction is gone. */
export interface Background {
  run(work: () => Promise<unknown>): void;
  /** Resolves when nothing is left running. */
  settled(): Promise<void>;
}

export function createBackground(fault: (error: unknown) => void): Background {
  const running = new Set<Promise<unknown>>();
  return {
    run(work) {
      const promise: Promise<unknown> = work()
        .catch(fault)
        .finally(() => running.delete(promise));
      running.add(promise);
    },
    settled: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
