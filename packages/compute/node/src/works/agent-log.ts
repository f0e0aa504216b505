import { limits } from '../limits.ts';

/** The agent's own latest lines, for `logs.collect`: never the machine's logs, never a secret. */
export class AgentLog {
  private readonly lines: { at: number; text: string }[] = [];
  private readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
  }

  add(text: string): void {
    // one line stays one line, and short
    this.lines.push({ at: this.now(), text: text.replace(/[\u0000-\u001f\u007f]+/g, ' ').slice(0, limits.logLineMax) });
    if (this.lines.length > limits.logLinesKept) this.lines.shift();
  }

  /** The latest ones, oldest first. */
  latest(count: number = limits.logLinesKept): { at: number; text: string }[] {
    return this.lines.slice(-count);
  }
}
