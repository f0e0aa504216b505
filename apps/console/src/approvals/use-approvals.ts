import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import type { ConsoleIam } from '../iam.ts';
import { onWake } from '../time/on-wake.ts';
import { waitFor } from '../time/wait-for.ts';
import { codeOf } from './failure.ts';
import { type Inbox, type InboxEvent, inboxAfter } from './inbox.ts';
import { readPast, readPending } from './read.ts';
import { type Link, watchConfirmations } from './watch.ts';

export interface Approvals {
  inbox: Inbox;
  link: Link;
  /** The first answer is there: until then an empty inbox means nothing. */
  isLoaded: boolean;
  tell: (event: InboxEvent) => void;
  /** There are earlier ones than those read so far. */
  hasEarlier: boolean;
  readEarlier: () => Promise<void>;
}

/** The person's confirmations, kept up to date for as long as the page is open. */
export function useApprovals({ api, clock }: ConsoleIam, onEnded: () => void): Approvals {
  const [inbox, tell] = useReducer(inboxAfter, new Map() as Inbox);
  const [link, setLink] = useState<Link>('connecting');
  const [isLoaded, setLoaded] = useState(false);
  const [earlierOffset, setEarlierOffset] = useState<number | null>(null);
  const hasRead = useRef(false);

  useEffect(() => {
    const watch = watchConfirmations({
      open: (signal) => api.delegations.watchConfirmations({}, { signal }),
      async refresh(signal) {
        const now = clock.now();
        const pending = await readPending(api, now, signal);
        const past = await readPast(api, 0, signal);
        tell({ type: 'seen', confirmations: [...pending, ...past.items], now });
        if (!hasRead.current) setEarlierOffset(past.nextOffset);
        hasRead.current = true;
        setLoaded(true);
      },
      seen: (confirmation) => tell({ type: 'seen', confirmations: [confirmation], now: clock.now() }),
      link: (next) => (next === 'ended' ? onEnded() : setLink(next)),
      isFinal: (error) => codeOf(error) === 'UNAUTHENTICATED',
      wait: waitFor,
      now: Date.now,
      random: Math.random,
    });
    const forget = onWake(watch.renew);
    return () => {
      forget();
      watch.stop();
    };
  }, [api, clock, onEnded]);

  const readEarlier = useCallback(async () => {
    if (earlierOffset === null) return;
    const past = await readPast(api, earlierOffset);
    tell({ type: 'seen', confirmations: past.items, now: clock.now() });
    setEarlierOffset(past.nextOffset);
  }, [api, clock, earlierOffset]);

  return { inbox, link, isLoaded, tell, hasEarlier: earlierOffset !== null, readEarlier };
}
