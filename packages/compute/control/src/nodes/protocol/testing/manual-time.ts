import type { Timers } from '../timers.ts';

interface Due {
  at: number;
  everyMs: number | undefined;
  fn: () => void;
}

/** A clock that moves when it is told to, and the timers that go with it. */
export class ManualTime implements Timers {
  private time = 0;
  private readonly due = new Set<Due>();
  private readonly waiting: (() => void)[] = [];

  readonly now = (): number => this.time;

  after(ms: number, fn: () => void): () => void {
    return this.add({ at: this.time + ms, everyMs: undefined, fn });
  }

  every(ms: number, fn: () => void): () => void {
    return this.add({ at: this.time + ms, everyMs: ms, fn });
  }

  advance(ms: number): void {
    const end = this.time + ms;
    for (let next = this.next(end); next; next = this.next(end)) {
      this.time = next.at;
      if (next.everyMs === undefined) this.due.delete(next);
      else next.at += next.everyMs;
      next.fn();
    }
    this.time = end;
  }

  /** Resolves when something waits for a moment not later than `ms` from now. */
  async untilWaiting(ms: number): Promise<void> {
    while (!this.next(this.time + ms)) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  private add(due: Due): () => void {
    this.due.add(due);
    for (const resolve of this.waiting.splice(0)) resolve();
    return () => this.due.delete(due);
  }

  private next(end: number): Due | undefined {
    return [...this.due].filter((due) => due.at <= end).sort((a, b) => a.at - b.at)[0];
  }
}
