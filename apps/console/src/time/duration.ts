const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const two = (n: number): string => String(n).padStart(2, '0');

/** What is left, for people: `1 h 05 min`, `29 min 41 s`, `41 s`; never below zero. */
export function remaining(ms: number): string {
  const left = Math.max(0, Math.floor(ms / SECOND)) * SECOND;
  if (left >= HOUR) return `${Math.floor(left / HOUR)} h ${two(Math.floor((left % HOUR) / MINUTE))} min`;
  if (left >= MINUTE) return `${Math.floor(left / MINUTE)} min ${two((left % MINUTE) / SECOND)} s`;
  return `${left / SECOND} s`;
}

/** A length of time a person chose or was given: `60 min`, `5 min`, `30 s`. */
export function lengthOf(seconds: number): string {
  return seconds < 120 && seconds % 60 !== 0 ? `${seconds}\u00a0s` : `${Math.round(seconds / 60)}\u00a0min`;
}

export interface Locale {
  locale?: string;
  timeZone?: string;
}

const dayOf = (at: number, timeZone: string | undefined): string =>
  new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', ...(timeZone ? { timeZone } : {}) }).format(at);

/** Time of day where the reader is, to the second; with the day when that is not today. */
export function timeOfDay(at: number, now: number, o: Locale = {}): string {
  const zone = o.timeZone ? { timeZone: o.timeZone } : {};
  const isToday = dayOf(at, o.timeZone) === dayOf(now, o.timeZone);
  const day = isToday ? {} : ({ day: 'numeric', month: 'short' } as const);
  return new Intl.DateTimeFormat(o.locale, { ...day, hour: '2-digit', minute: '2-digit', second: '2-digit', ...zone }).format(at);
}
