export interface ServerClock {
  now(): number;
  /** Value of a `Date` header just received. */
  heard(date: string | null): void;
}

/** `Date` is in whole seconds and an answer takes its time: closer than this the two clocks count as the same. */
const SLACK_MS = 3_000;

/** The server decides what has lapsed, so countdowns go by its clock; a laptop's may be minutes off. */
export function createServerClock(local: () => number): ServerClock {
  let aheadMs = 0;
  return {
    now: () => local() + aheadMs,
    heard(date) {
      const at = date === null ? Number.NaN : Date.parse(date);
      if (Number.isNaN(at)) return;
      const measured = at + 500 - local();
      if (Math.abs(measured - aheadMs) > SLACK_MS) aheadMs = Math.abs(measured) > SLACK_MS ? measured : 0;
    },
  };
}
