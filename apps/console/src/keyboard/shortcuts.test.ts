import { expect, test } from 'vitest';
import { commandOf } from './shortcuts.ts';

const key = (name: string, more: object = {}) =>
  commandOf({ key: name, ctrlKey: false, metaKey: false, altKey: false, repeat: false, target: { tagName: 'ARTICLE' }, ...more }, false);

test('issue2.8 a single key moves, helps or opens a second step', () => {
  expect(['j', 'k', 'a', 'r', '?', 'x', 'Enter'].map((name) => key(name))).toEqual(['next', 'previous', 'approve', 'reject', 'help', undefined, undefined]);
});

test('issue2.8 a key is left alone while somebody types, holds a modifier, holds it down or reads the help', () => {
  expect(key('a', { target: { tagName: 'INPUT' } })).toBeUndefined();
  for (const modifier of ['ctrlKey', 'metaKey', 'altKey']) expect(key('a', { [modifier]: true })).toBeUndefined();
  expect(key('a', { repeat: true })).toBeUndefined();
  expect(key('j', { repeat: true })).toBe('next');
  expect(commandOf({ key: 'a', ctrlKey: false, metaKey: false, altKey: false, repeat: false, target: null }, true)).toBeUndefined();
});
