/** Twenty letters nobody mistakes for another or for a digit, and that spell no word (iam.md §3.6). */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';

/** A code for a person to read out or type, in groups of four: `XXXX-XXXX`. `pick` answers a random whole number below its argument. */
export const spokenCode = (groups: number, pick: (below: number) => number): string =>
  Array.from({ length: groups }, () => Array.from({ length: 4 }, () => letters[pick(letters.length)]).join('')).join('-');

/** What was typed, as it was made: case, spaces and dashes do not matter. Undefined where it cannot be such a code. */
export function readSpokenCode(text: string, groups: number): string | undefined {
  const plain = text.toUpperCase().replace(/[\s-]/g, '');
  return plain.length === groups * 4 && [...plain].every((letter) => letters.includes(letter)) ? plain.match(/.{4}/g)!.join('-') : undefined;
}
