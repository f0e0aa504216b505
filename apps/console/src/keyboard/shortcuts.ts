export type Command = 'next' | 'previous' | 'approve' | 'reject' | 'help';

const commands = new Map<string, Command>([
  ['j', 'next'],
  ['k', 'previous'],
  ['a', 'approve'],
  ['r', 'reject'],
  ['?', 'help'],
]);

export const shortcutTexts: readonly [key: string, text: string][] = [
  ['j', 'next request'],
  ['k', 'previous request'],
  ['a', 'approve the request with the focus; asks once more'],
  ['r', 'reject the request with the focus; asks once more'],
  ['Enter', 'press the button with the focus'],
  ['Esc', 'go back'],
  ['?', 'this help'],
];

interface Pressed {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  repeat: boolean;
  target: unknown;
}

const isTyping = (target: unknown): boolean => {
  const { tagName, isContentEditable } = (target ?? {}) as { tagName?: string; isContentEditable?: boolean };
  return tagName === 'INPUT' || tagName === 'TEXTAREA' || tagName === 'SELECT' || isContentEditable === true;
};

/** What a key means here; nothing while somebody types, holds a modifier or reads the help. */
export function commandOf(event: Pressed, isHelpOpen: boolean): Command | undefined {
  if (isHelpOpen || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return undefined;
  const command = commands.get(event.key);
  // a key held down moves on, but asks for nothing
  return event.repeat && command !== 'next' && command !== 'previous' ? undefined : command;
}
