import type { Result, Work } from '../protocol/messages.ts';

/**
 * Works of the wished state that were not answered yet. This agent has no drivers, so it can do none of them and says
 * so: a work of unknown kind fails, an overdue one has expired.
 */
export class Works {
  private answered = new Set<string>();

  answers(works: readonly Work[], now: number): Pick<Result, 'workId' | 'outcome' | 'detail'>[] {
    const fresh = works.filter((work) => !this.answered.has(work.workId));
    // what is wished no longer is forgotten, so that this does not grow
    this.answered = new Set(works.map((work) => work.workId));
    return fresh.map(({ workId, kind, deadline }) =>
      deadline !== null && deadline <= now
        ? { workId, outcome: 'expired', detail: { reason: 'deadline' } }
        : { workId, outcome: 'failed', detail: { reason: 'unsupported-kind', kind } },
    );
  }
}
