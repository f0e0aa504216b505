import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonError, readJson } from './json.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const read = (text: string, o?: { depthMax?: number }) => readJson(encode(text), o);

function refusal(run: () => unknown): JsonError {
  try {
    run();
  } catch (error) {
    if (error instanceof JsonError) return error;
    throw error;
  }
  throw new Error('was not refused');
}
const reasonOf = (text: string) => refusal(() => read(text)).reason;

describe('what is read', () => {
  test('iam§6 any document JSON.parse reads without loss is read alike', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary', depthSize: 'medium' }), (text) => {
        fc.pre(!text.includes('\\u0000'));
        expect(read(text)).toEqual(JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  });

  test('iam§6 indentation, escapes and odd names change nothing', () => {
    const names = fc.string({ unit: 'grapheme-composite', maxLength: 6 });
    const value = fc.dictionary(
      names,
      fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.array(fc.boolean()), fc.dictionary(names, fc.constant(null))),
    );
    fc.assert(
      fc.property(value, fc.integer({ min: 0, max: 4 }), (v, indent) => {
        const text = JSON.stringify(v, null, indent).replace(/[^\x20-\x7e\n]/g, (u) => `\\u${u.charCodeAt(0).toString(16).padStart(4, '0')}`);
        fc.pre(!text.includes('\\u0000'));
        expect(read(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test('iam§6 __proto__ and constructor are members like any other', () => {
    const value = read('{"__proto__":{"admin":true},"constructor":1,"toString":2}') as object;
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor', 'toString']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect((value as { admin?: boolean }).admin).toBeUndefined();
  });

  test('iam§6 the same name in two objects is no repetition', () => {
    expect(read('[{"a":{"a":1}},{"a":[{"a":2}]}]')).toEqual([{ a: { a: 1 } }, { a: [{ a: 2 }] }]);
  });

  test.each([
    ['"\\"a\\":{["'],
    ['"\\\\"'],
    ['{"a\\\\\\"":"\\\\\\\\"}'],
    ['"\\ud83d\\ude00\\u0001"'],
    ['"\\\\u0000"'],
    ['"\\\\ud800"'],
    ['"\ufeff"'],
    ['[1e308,-0,0.1]'],
    [' \t\r\n1 '],
  ])('iam§6 reads %s', (text) => {
    expect(read(text)).toEqual(JSON.parse(text));
  });

  test('iam§6 reads 64 levels, of arrays and of objects', () => {
    expect(read(`${'['.repeat(64)}${']'.repeat(64)}`)).toBeInstanceOf(Array);
    expect(read(`${'{"a":'.repeat(64)}1${'}'.repeat(64)}`)).toBeInstanceOf(Object);
    expect(read(`[${'[],'.repeat(200)}[]]`)).toHaveLength(201);
  });
});

describe('what is refused', () => {
  test.each([
    [''],
    ['   '],
    ['{'],
    ['{"a":1,}'],
    ['[1,]'],
    ["{'a':1}"],
    ['{"a" 1}'],
    ['01'],
    ['NaN'],
    ['1 2'],
    ['"\\x"'],
    ['"\\u12g4"'],
    ['"open'],
    ['"a\nb"'],
    ['}'],
    ['/*c*/1'],
    ['\u00a01'],
  ])('iam§6 syntax: %j', (text) => {
    expect(reasonOf(text)).toBe('syntax');
  });

  test('iam§6 every truncation of a document is refused', () => {
    const text = '{"a":[1,"\\ud83d\\ude00",{"b":null}],"c":{"d":"e"}}';
    for (let length = 0; length < text.length; length++) refusal(() => read(text.slice(0, length)));
  });

  test.each([
    ['lone continuation', [0x22, 0x80, 0x22]],
    ['overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
    ['surrogate in UTF-8', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['beyond U+10FFFF', [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]],
    ['cut in a character', [0x22, 0xe2, 0x82]],
    ['Latin-1', [0x22, 0xe9, 0x22]],
    ['UTF-16 with its mark', [0xff, 0xfe, 0x31, 0x00]],
  ])('iam§6 utf8: %s', (_, bytes) => {
    expect(refusal(() => readJson(Uint8Array.from(bytes))).reason).toBe('utf8');
  });

  test('iam§6 byte order mark', () => {
    expect(refusal(() => readJson(Uint8Array.from([0xef, 0xbb, 0xbf, 0x31]))).reason).toBe('bom');
    expect(reasonOf(' \ufeff1')).toBe('syntax');
  });

  test.each([
    ['{"a":1,"a":1}', 7],
    ['{"a":1,"\\u0061":2}', 7],
    ['[{"b":{"x":1 , "y":2,"x" :3}}]', 21],
    ['{"__proto__":1,"__proto__":2}', 15],
    ['{"1":0,"1":0}', 7],
    ['{"":0,"":0}', 6],
    ['{"a:{":[{}],"a:{":{}}', 12],
    ['{"a":{"b":1},"a":{"b":1,"c":2}}', 13],
  ])('iam§6 duplicate: %s', (text, at) => {
    const error = refusal(() => read(text));
    expect([error.reason, error.at]).toEqual(['duplicate', at]);
  });

  test('iam§6 any repeated name is found, wherever it stands', () => {
    const tree = fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 3 }), { minKeys: 1 });
    fc.assert(
      fc.property(tree, fc.nat(), fc.jsonValue({ maxDepth: 2 }), (value, pick, other) => {
        const names = Object.keys(value);
        const name = names[pick % names.length];
        fc.pre(!JSON.stringify([value, other]).includes('\\u0000'));
        const text = `{"w":[${JSON.stringify(value).slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(other)}}]}`;
        const error = refusal(() => read(text));
        expect(error.reason).toBe('duplicate');
        expect(text.slice(error.at)).toMatch(/^"/);
      }),
    );
  });

  test.each([
    ['"\\ud800"'],
    ['"\\uDC00"'],
    ['"\\udc00\\ud800"'],
    ['"\\ud800\\u0041"'],
    ['"\\ud800x"'],
    ['"\\ud83d\\\\ude00"'],
    ['{"\\ud800":1}'],
    ['"😀\\ude00"'],
    ['"\\ud83d\\ude00\\ude00"'],
  ])('iam§6 surrogate: %s', (text) => {
    expect(reasonOf(text)).toBe('surrogate');
  });

  test.each([['"\\u0000"'], ['{"a\\u0000":1}'], ['"\0"'], ['{"a\0":1}'], ['"\\\\\\u0000"']])('iam§6 nul: %j', (text) => {
    expect(reasonOf(text)).toBe('nul');
  });

  test('iam§6 a number beyond a double has no one reading', () => {
    expect(reasonOf('{"a":[1e999]}')).toBe('number');
    expect(reasonOf('-1e400')).toBe('number');
  });

  test('iam§6 the 65th level, closed or not, and by a smaller limit', () => {
    expect(reasonOf(`${'['.repeat(65)}${']'.repeat(65)}`)).toBe('depth');
    expect(reasonOf('{"a":'.repeat(65))).toBe('depth');
    expect(refusal(() => read('[[[1]]]', { depthMax: 2 })).at).toBe(2);
  });

  test('iam§6 cost grows with length only, whatever the shape', () => {
    const size = 1 << 20;
    expect(reasonOf('['.repeat(size))).toBe('depth');
    expect(reasonOf(`"${'\\'.repeat(size)}`)).toBe('syntax');
    expect(read(`"${'\\"'.repeat(size)}"`)).toHaveLength(size);
    const many = `{${Array.from({ length: 100_000 }, (_, i) => `"k${i}":${i}`).join(',')}`;
    expect(Object.keys(read(`${many}}`) as object)).toHaveLength(100_000);
    expect(reasonOf(`${many},"k0":0}`)).toBe('duplicate');
  });
});
