import { useEffect, useState } from 'react';
import type { ServerClock } from './server-clock.ts';

const TICK_MS = 1_000;

/** The server's time, read anew each second. */
export function useNow(clock: ServerClock): number {
  const [now, setNow] = useState(() => clock.now());
  useEffect(() => {
    const tick = setInterval(() => setNow(clock.now()), TICK_MS);
    return () => clearInterval(tick);
  }, [clock]);
  return now;
}
