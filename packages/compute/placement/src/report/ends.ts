import type { ClaimRow, Slot } from '../fold/slot.ts';

/** Claims by their end, soonest first, sorted no further than they are asked for (a binary heap). */
export class Ends {
  private readonly rows: ClaimRow[] = [];

  constructor(slots: Iterable<Slot>, from: number) {
    for (const slot of slots) for (const row of slot.rows) if (row.to > from && row.to < Infinity) this.rows.push(row);
    for (let i = (this.rows.length >> 1) - 1; i >= 0; i--) this.sink(i);
  }

  get soonest(): ClaimRow | undefined {
    return this.rows[0];
  }

  drop(): void {
    const last = this.rows.pop() as ClaimRow;
    if (this.rows.length === 0) return;
    this.rows[0] = last;
    this.sink(0);
  }

  private sink(start: number): void {
    const { rows } = this;
    const row = rows[start] as ClaimRow;
    let at = start;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= rows.length) break;
      if (child + 1 < rows.length && (rows[child + 1] as ClaimRow).to < (rows[child] as ClaimRow).to) child++;
      if ((rows[child] as ClaimRow).to >= row.to) break;
      rows[at] = rows[child] as ClaimRow;
      at = child;
    }
    rows[at] = row;
  }
}
