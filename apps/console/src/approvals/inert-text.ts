/** Control characters but newline and tab, direction changes, and what shows nothing: the server refuses them, and a page that shows an agent's words does not rely on it. */
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** Text of others, with everything hidden in it made visible. React escapes markup; nothing here makes links. */
export const inertText = (text: string): string =>
  text.replace(HIDDEN, (character) => `[U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`);
