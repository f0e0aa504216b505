/** A wake-up that is not lost when it comes before the wait, and a wait that has an end. */
export interface Signal {
  raise(): void;
  wait(ms: number): Promise<void>;
}

export function createSignal(): Signal {
  let isRaised = false;
  let resume: (() => void) | undefined;
  return {
    raise: () => {
      isRaised = true;
      resume?.();
    },
    wait: async (ms) => {
      if (!isRaised) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          resume = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      resume = undefined;
      isRaised = false;
    },
  };
}
