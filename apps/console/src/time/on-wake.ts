const CHECK_MS = 5_000;
/** Browsers slow the timers of hidden pages to one a minute: a longer gap is a machine that slept. */
const SLEPT_MS = 90_000;

/** Calls back when the network returns or the machine has slept: connections of before are dead by then, and nothing says so. */
export function onWake(woken: () => void): () => void {
  let last = Date.now();
  const check = setInterval(() => {
    const now = Date.now();
    if (now - last > SLEPT_MS) woken();
    last = now;
  }, CHECK_MS);
  addEventListener('online', woken);
  return () => {
    clearInterval(check);
    removeEventListener('online', woken);
  };
}
