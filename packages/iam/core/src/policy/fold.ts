const ascii = /^[\0-\x7f]*$/;

/**
 * Text for comparing without regard to case. Code point by code point and only where the lower case is one code point too: the language's own
 * lower-casing looks at neighbours and changes lengths, so a pattern would fold differently from the value it is meant for.
 */
export function foldCase(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  let folded = '';
  for (const character of text) {
    const lower = character.toLowerCase();
    folded += [...lower].length === 1 ? lower : character;
  }
  return folded;
}
