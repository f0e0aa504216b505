import { describe, expect, test } from 'vitest';
import { citationsOf } from './citations.ts';
import { coverage, coverageOf } from './coverage.ts';
import { compactIds } from './gap-lines.ts';
import { gaps } from './gaps.ts';
import { requirements } from './requirements.ts';

const known = new Set(['B47', 'B48', 'B49', 'iam§17.4']);
const citedIn = (text: string): string[] => [...citationsOf('x.test.ts', text, known).cited];

describe('issue2.1 requirements', () => {
  const found = coverage();

  test('every id a test cites exists, and is spelt as the manifest spells it', () => {
    expect({ unknown: found.unknown, misspelt: found.misspelt }).toEqual({ unknown: [], misspelt: [] });
  });

  test('every requirement is cited by a test or listed as a known gap', () => {
    expect(compactIds(found.uncited)).toBe('');
  });

  test('the list of known gaps only shrinks: none is cited, none is unknown, none stands twice', () => {
    const ids = gaps.map(({ id }) => id);
    expect({ stale: found.staleGaps, unknown: found.unknownGaps, twice: ids.filter((id, i) => ids.indexOf(id) !== i) }).toEqual({
      stale: [],
      unknown: [],
      twice: [],
    });
  });

  test('the manifest names each requirement once, the 172 seed statements among them', () => {
    const ids = requirements.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.slice(0, 172)).toEqual(Array.from({ length: 172 }, (_, i) => `B${i + 1}`));
  });
});

describe('issue2.1 reading citations', () => {
  test('names of tests and groups count, in every way vitest takes them', () => {
    expect(citedIn("test('B47 reserves', f); describe('iam§17.4', f); it.skipIf(x)('B48', f); test.each([1])('B49 %s', f);")).toEqual([
      'B47',
      'iam§17.4',
      'B48',
      'B49',
    ]);
  });

  test('comments, other strings and tests that are switched off do not count', () => {
    expect(citedIn("// B47\nconst a = 'B48'; test('plain', () => { f('B49'); }); test.skip('iam§17.4', f); test.todo('B47');")).toEqual([]);
  });

  test('where names come from a table its ids count, known ones only', () => {
    expect(citedIn("for (const [id] of [['B47', 1], ['B48 more', 2], ['B200', 3], ['H100', 4]]) test(`${id} has hints`, f);")).toEqual(['B47', 'B48']);
  });

  test('a citation with a space or a file name is reported', () => {
    expect(citationsOf('x.test.ts', "test('iam §17.4', f); test('compute.md §5', f);", known).misspelt).toEqual(['iam §', 'compute.md']);
  });
});

describe('issue2.1 comparing', () => {
  test('an unknown citation, an uncited requirement, a stale gap and an unknown gap are told apart', () => {
    const cited = { cited: new Set(['B47', 'B999']), misspelt: [] };
    expect(coverageOf(cited, ['B47', 'B48', 'B49'], ['B47', 'B49', 'B998'])).toEqual({
      unknown: ['B999'],
      uncited: ['B48'],
      staleGaps: ['B47'],
      unknownGaps: ['B998'],
      misspelt: [],
    });
  });

  test('runs of ids are drawn together', () => {
    expect(compactIds(['B1', 'B2', 'B3', 'B7', 'iam§16'])).toBe('B1–B3, B7, iam§16');
  });
});
