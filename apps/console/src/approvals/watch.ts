import type { Confirmation } from '@better-iam/client';

export type Link = 'connecting' | 'live' | 'reconnecting' | 'ended';

export interface WatchOptions {
  open(signal: AbortSignal): Promise<AsyncIterable<Confirmation>>;
  /** Reads everything anew: whatever happened while nobody listened. */
  refresh(signal: AbortSignal): Promise<void>;
  seen(confirmation: Confirmation): void;
  link(link: Link): void;
  /** True ends the watch: asking again would not help, as when signed out. */
  isFinal(error: unknown): boolean;
  wait(ms: number, signal: AbortSignal): Promise<void>;
  now(): number;
  random(): number;
}

export interface Watch {
  /** Drops what may be a dead connection and asks at once: the network came back, or the page was asleep. */
  renew(): void;
  stop(): void;
}

const RETRY_FIRST_MS = 500;
const RETRY_MOST_MS = 30_000;
/** A connection that held so long was a good one: the next failure counts from the start. */
const STEADY_MS = 10_000;

/** Doubles up to 30 s, and a random part of it, so that a restarted server is not met by everybody at once. */
export const retryMs = (attempt: number, random: number): number => Math.min(RETRY_MOST_MS, RETRY_FIRST_MS * 2 ** attempt) * (0.5 + random / 2);

/** Follows the person's confirmations for as long as the page is open. */
export function watchConfirmations(o: WatchOptions): Watch {
  const life = new AbortController();
  let round = new AbortController();

  async function listen(signal: AbortSignal, opened: () => void): Promise<void> {
    // the stream first, then the list: nothing can happen between the two unseen
    const events = await o.open(signal);
    await o.refresh(signal);
    opened();
    for await (const event of events) {
      // a stream that fails half-way says so in its last event
      if ('error' in event) throw event.error;
      o.seen(event);
    }
  }

  async function run(): Promise<void> {
    o.link('connecting');
    for (let attempt = 0; !life.signal.aborted; attempt++) {
      round = new AbortController();
      const signal = AbortSignal.any([life.signal, round.signal]);
      let openedAt = Number.POSITIVE_INFINITY;
      try {
        await listen(signal, () => {
          openedAt = o.now();
          o.link('live');
        });
      } catch (error) {
        if (!life.signal.aborted && !round.signal.aborted && o.isFinal(error)) return o.link('ended');
      }
      if (life.signal.aborted) return;
      o.link('reconnecting');
      if (o.now() - openedAt > STEADY_MS) attempt = 0;
      // renewed: at once, and as if nothing had failed before
      if (round.signal.aborted) attempt = -1;
      else await o.wait(retryMs(attempt, o.random()), signal).catch(() => (attempt = -1));
    }
  }

  void run();
  return { renew: () => round.abort(), stop: () => life.abort() };
}
