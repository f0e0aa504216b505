import { expect, test } from 'vitest';
import { IamError } from './errors.ts';
import { checkText, textProblem } from './text.ts';

const refused: [string, unknown, string][] = [
  ['a number', 7, 'not-a-string'],
  ['one character too many', 'x'.repeat(257), 'too-long'],
  ['a lone high surrogate', 'a\ud83d', 'lone-surrogate'],
  ['a lone low surrogate', '\ude00a', 'lone-surrogate'],
  ['NUL', 'a\0b', 'control'],
  ['newline', 'a\nb', 'control'],
  ['tab', 'a\tb', 'control'],
  ['DEL', 'a\u007f', 'control'],
  ['C1', 'a\u0085', 'control'],
  ['line separator', 'a\u2028b', 'control'],
  ['right-to-left override', 'invoice\u202egpj.exe', 'bidi-override'],
  ['isolate', '\u2066a\u2069', 'bidi-override'],
  ['right-to-left mark', 'a\u200f', 'bidi-override'],
  ['zero-width space', 'pay\u200bpal', 'zero-width'],
  ['zero-width joiner', 'a\u200db', 'zero-width'],
  ['byte order mark', '\ufeffa', 'zero-width'],
  ['word joiner', 'a\u2060b', 'zero-width'],
  ['hidden tag characters', 'ok\u{e0041}\u{e0042}', 'zero-width'],
];

test.each(refused)('iam§6 text with %s is refused', (_name, value, problem) => {
  expect(textProblem(value, { max: 256 })).toBe(problem);
  expect(() => checkText(value, { max: 256, path: 'name' })).toThrow(expect.objectContaining({ code: 'INVALID_INPUT', details: { path: 'name', problem } }));
});

test.each(['', 'plain', 'Zürich 東京 😀', 'x'.repeat(256), 'שלום'])('iam§6 ordinary text %j is let through unchanged', (value) => {
  expect(checkText(value, { max: 256 })).toBe(value);
});

test('iam§6 newline and tab pass where asked for, carriage return never does', () => {
  expect(checkText('a\n\tb', { max: 10, newline: true })).toBe('a\n\tb');
  expect(() => checkText('a\r\nb', { max: 10, newline: true })).toThrow(IamError);
});
