import type { KeyObject } from 'node:crypto';
import { signatureOf } from '../identity/key.ts';
import type { StateFile } from '../identity/state-file.ts';
import { limits } from '../limits.ts';
import type { Result } from '../protocol/messages.ts';

/** Results on disk until the plane has acknowledged them; one a work. */
export class Outbox {
  private readonly file: StateFile;
  private readonly key: KeyObject;
  private seq: number;
  private inFlight = new Set<number>();
  /** Nothing is said before it is on disk: a result that was said and forgotten could be said otherwise later. */
  private savedSeq: number;

  constructor(file: StateFile, key: KeyObject) {
    this.file = file;
    this.key = key;
    this.seq = this.savedSeq = Math.max(0, ...file.state.results.map((result) => result.seq));
  }

  /** On disk when it resolves. */
  async put(said: Omit<Result, 'type' | 'seq' | 'signature'>): Promise<void> {
    const members = { type: 'result' as const, seq: ++this.seq, ...said };
    const others = this.file.state.results.filter((result) => result.workId !== said.workId);
    // the oldest go first when the plane has not listened for very long
    this.file.state.results = [...others, { ...members, signature: signatureOf(this.key, members) }].slice(-limits.resultsKept);
    await this.file.save();
    this.savedSeq = Math.max(this.savedSeq, members.seq);
  }

  async acknowledged(seq: number): Promise<void> {
    this.inFlight.delete(seq);
    const left = this.file.state.results.filter((result) => result.seq !== seq);
    if (left.length === this.file.state.results.length) return;
    this.file.state.results = left;
    await this.file.save();
  }

  /** A new connection: nothing is on its way any more. */
  restart(): void {
    this.inFlight = new Set();
  }

  /** What may be sent now; a result stays on its way until it is acknowledged. */
  take(): Result[] {
    const next = this.file.state.results
      .filter(({ seq }) => seq <= this.savedSeq && !this.inFlight.has(seq))
      .slice(0, limits.resultsInFlight - this.inFlight.size);
    for (const result of next) this.inFlight.add(result.seq);
    return next;
  }
}
