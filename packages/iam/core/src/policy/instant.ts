const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Epoch milliseconds (with a fraction where the text has one) of an ISO 8601 date and time with a zone, `2026-01-31T08:00:00+01:00`; seconds may be left
 * out, a date alone may not. Undefined for anything else (`iam.md` §10.4).
 */
export function parseInstant(text: string): number | undefined {
  if (text[4] !== '-' || text[7] !== '-' || text[10] !== 'T' || text[13] !== ':') return undefined;
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 2);
  const day = digits(text, 8, 2);
  const hour = digits(text, 11, 2);
  const minute = digits(text, 14, 2);
  const hasSeconds = text[16] === ':';
  const second = hasSeconds ? digits(text, 17, 2) : 0;
  const fractionEnd = hasSeconds && text[19] === '.' ? endOfDigits(text, 20) : hasSeconds ? 19 : 16;
  const fractionDigits = fractionEnd > 20 ? fractionEnd - 20 : 0;
  if (fractionEnd === 20 || fractionDigits > 9) return undefined;
  const fractionMs = fractionDigits === 0 ? 0 : digits(text, 20, fractionDigits) / 10 ** (fractionDigits - 3);
  const offsetMinutes = parseOffset(text, fractionEnd);
  // Comparisons with NaN are false, so a part that is no number fails here too.
  const isInRange = month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month) && hour <= 23 && minute <= 59 && second <= 59;
  if (!isInRange || Number.isNaN(year) || offsetMinutes === undefined) return undefined;
  return ((daysSinceEpoch(year, month, day) * 24 + hour) * 60 + minute - offsetMinutes) * 60_000 + second * 1000 + fractionMs;
}

/** Minutes east of UTC of the zone that is all of `text` from `at`. */
function parseOffset(text: string, at: number): number | undefined {
  if (text[at] === 'Z') return text.length === at + 1 ? 0 : undefined;
  const sign = text[at] === '+' ? 1 : text[at] === '-' ? -1 : undefined;
  if (sign === undefined || text.length !== at + 6 || text[at + 3] !== ':') return undefined;
  const hours = digits(text, at + 1, 2);
  const minutes = digits(text, at + 4, 2);
  return hours <= 23 && minutes <= 59 ? sign * (hours * 60 + minutes) : undefined;
}

function digits(text: string, at: number, count: number): number {
  let value = 0;
  for (let index = at; index < at + count; index++) {
    const digit = text.charCodeAt(index) - 48;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

function endOfDigits(text: string, from: number): number {
  let end = from;
  while (text.charCodeAt(end) >= 48 && text.charCodeAt(end) <= 57) end++;
  return end;
}

function daysIn(year: number, month: number): number {
  const isLeapYear = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 && isLeapYear ? 29 : (monthDays[month - 1] ?? 0);
}

/** Days of the proleptic Gregorian calendar, counted in years that begin in March so that the leap day is the last. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  return marchYear * 365 + leapDays + dayOfYear - 719_468;
}
