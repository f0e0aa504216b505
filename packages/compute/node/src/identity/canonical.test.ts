import { canonicalJson } from '@kit/operation';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalText } from './canonical.ts';

test('compute§4.1 what the agent signs is written as the plane writes it', () => {
  const value = fc.jsonValue({ maxDepth: 4 }).filter((json) => !hasLoneSurrogate(JSON.stringify(json)));
  fc.assert(fc.property(value, (json) => canonicalText(json) === canonicalJson(json)));
  expect(canonicalText({ b: [{ 10: 1, 9: 2, a: undefined }], a: 'é\n', '': 1e21 })).toBe('{"":1e+21,"a":"é\\n","b":[{"10":1,"9":2}]}');
});

const hasLoneSurrogate = (text: string): boolean => /\\ud[89a-f]/.test(text);
