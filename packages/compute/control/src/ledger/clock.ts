/** What time it is for a batch: by the deployment's clock, or else by the database's. */
export interface Clock {
  /** What the database has just said, epoch milliseconds. */
  read(databaseNow: number): number;
  /** Without asking: the database's clock as it was read, going on with this process's. Never behind what was said last, nor ahead of the database. */
  now(): number;
}

export function createClock(own: (() => number) | undefined, elapsed: () => number): Clock {
  if (own) return { read: own, now: own };
  let ahead = Number.NEGATIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  return {
    read(databaseNow) {
      // an answer is old when it arrives, one more than another
      ahead = databaseNow - elapsed();
      last = databaseNow;
      return last;
    },
    now() {
      last = Math.max(last, Math.floor(ahead + elapsed()));
      return last;
    },
  };
}
