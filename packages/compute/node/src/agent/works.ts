import type { Work } from '../protocol/messages.ts';
import { type Answer, doWork, type WorkBench } from '../works/kinds.ts';

/** Works of the wished state that this start of the agent has not taken up yet: one at a time, each once. */
export class Works {
  private taken = new Set<string>();
  private last: Promise<void> = Promise.resolve();
  private readonly bench: WorkBench;
  private readonly now: () => number;

  /** `now` is epoch milliseconds, to compare deadlines with. */
  constructor(bench: WorkBench, now: () => number) {
    this.bench = bench;
    this.now = now;
  }

  /** `answered` is called with what came of each, in order; what it throws is `fault`'s. */
  take(works: readonly Work[], answered: (work: Work, answer: Answer) => Promise<void>, fault: (error: unknown) => void): void {
    const fresh = works.filter((work) => !this.taken.has(work.workId));
    // what is wished no longer is forgotten, so that this does not grow
    this.taken = new Set(works.map((work) => work.workId));
    for (const work of fresh) this.last = this.last.then(async () => answered(work, await this.answerTo(work))).catch(fault);
  }

  private async answerTo(work: Work): Promise<Answer> {
    if (work.deadline !== null && work.deadline <= this.now()) return { outcome: 'expired', detail: { reason: 'deadline' } };
    try {
      return await doWork(this.bench, work);
    } catch (error) {
      this.bench.log.add(`${work.kind} failed: ${error instanceof Error ? error.message : String(error)}`);
      return { outcome: 'failed', detail: { reason: 'fault' } };
    }
  }
}
