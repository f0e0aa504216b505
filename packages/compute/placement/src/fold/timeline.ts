import type { ClaimRow } from './slot.ts';

/** The claims of one GPU, sorted by start and never overlapping. Times sit in arrays of plain numbers: they are read far more often than rows. */
export class Timeline {
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly rows: ClaimRow[] = [];

  /** Index of the first claim that ends after `at`. */
  firstAfter(at: number): number {
    const { ends } = this;
    let i = 0;
    while (i < ends.length && (ends[i] as number) <= at) i++;
    return i;
  }

  isFree(from: number, to: number): boolean {
    const i = this.firstAfter(from);
    return i === this.starts.length || (this.starts[i] as number) >= to;
  }

  /** The claim that keeps this GPU busy somewhere in [from, to), if any. */
  blocker(from: number, to: number): ClaimRow | undefined {
    return this.isFree(from, to) ? undefined : this.rows[this.firstAfter(from)];
  }

  /** Start of the first claim at or after `at`, Infinity when none: the GPU must be free at `at`. */
  nextStart(at: number): number {
    return this.starts[this.firstAfter(at)] ?? Infinity;
  }

  insert(row: ClaimRow): void {
    const i = this.firstAfter(row.from);
    this.starts.splice(i, 0, row.from);
    this.ends.splice(i, 0, row.to);
    this.rows.splice(i, 0, row);
  }

  remove(row: ClaimRow): void {
    const i = this.rows.indexOf(row);
    this.starts.splice(i, 1);
    this.ends.splice(i, 1);
    this.rows.splice(i, 1);
  }

  /** Takes over a row's changed end. */
  moveEnd(row: ClaimRow): void {
    this.ends[this.rows.indexOf(row)] = row.to;
  }
}
