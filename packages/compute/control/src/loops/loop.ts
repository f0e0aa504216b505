import { limits } from '../limits.ts';

export interface LoopOptions {
  name: string;
  everyMs: number;
  run(): Promise<void>;
  fault(error: unknown): void;
}

export interface Loop {
  readonly name: string;
  start(): void;
  /** Soon rather than at the next turn; many wakes are one. */
  wake(): void;
  /** Waits for a round that runs. */
  stop(): Promise<void>;
  /** Since the last round that went well; 0 while it is not started. */
  lagSeconds(): number;
}

/** One round after another, never two at once. A round that fails is reported and tried again at its next turn. */
export function createLoop(o: LoopOptions): Loop {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isStarted = false;
  let isWanted = false;
  let lastGoodAt = 0;

  async function round(): Promise<void> {
    try {
      await o.run();
      lastGoodAt = performance.now();
    } catch (error) {
      o.fault(error);
    }
  }

  function schedule(ms: number): void {
    clearTimeout(timer);
    if (!isStarted) return;
    timer = setTimeout(() => {
      isWanted = false;
      running = round().finally(() => {
        running = undefined;
        schedule(isWanted ? limits.wakeMs : o.everyMs);
      });
    }, ms);
  }

  return {
    name: o.name,
    start() {
      if (isStarted) return;
      isStarted = true;
      lastGoodAt = performance.now();
      schedule(0);
    },
    wake() {
      if (!isStarted || isWanted) return;
      isWanted = true;
      if (!running) schedule(limits.wakeMs);
    },
    async stop() {
      isStarted = false;
      clearTimeout(timer);
      await running;
    },
    lagSeconds: () => (isStarted ? (performance.now() - lastGoodAt) / 1000 : 0),
  };
}
