import { useEffect, useState } from 'react';
import { onWake } from '../time/on-wake.ts';
import { type LeftNow, readLeft } from './left-now.ts';

const AGAIN_MS = 10_000;

/** `reading` at first, `unread` while the server cannot be reached; null where there is nothing to tell. */
export type Left = LeftNow | 'reading' | 'unread' | null;

/** What is left now, read again for as long as the card waits. */
export function useLeft(draftId: string | undefined): Left {
  const [left, setLeft] = useState<Left>('reading');
  useEffect(() => {
    if (draftId === undefined) return undefined;
    const gone = new AbortController();
    const read = () =>
      readLeft(draftId, { fetch, signal: gone.signal }).then(
        (answer) => setLeft(answer),
        // what was read before says when it was, and stays
        () => setLeft((known) => (known === 'reading' ? 'unread' : known)),
      );
    void read();
    const again = setInterval(() => void read(), AGAIN_MS);
    const forget = onWake(() => void read());
    return () => {
      gone.abort();
      clearInterval(again);
      forget();
    };
  }, [draftId]);
  return left;
}
