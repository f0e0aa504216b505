import { join } from 'node:path';
import { type Citations, citationsOfTests } from './citations.ts';
import { gaps } from './gaps.ts';
import { requirements } from './requirements.ts';

export interface Coverage {
  /** Cited, but in no manifest: a slip of the pen. */
  unknown: string[];
  /** Neither cited nor a known gap. */
  uncited: string[];
  /** Called a gap although a test cites it: strike it off. */
  staleGaps: string[];
  /** In the list of gaps, but in no manifest. */
  unknownGaps: string[];
  misspelt: string[];
}

const difference = (ids: Iterable<string>, without: ReadonlySet<string>): string[] => [...ids].filter((id) => !without.has(id));

/** Compares what is promised, what tests cite and what is admitted to be missing. */
export function coverageOf({ cited, misspelt }: Citations, promised: readonly string[], missing: readonly string[]): Coverage {
  const known = new Set(promised);
  return {
    unknown: difference(cited, known).sort(),
    uncited: difference(promised, new Set([...cited, ...missing])),
    staleGaps: missing.filter((id) => cited.has(id)),
    unknownGaps: difference(missing, known),
    misspelt,
  };
}

export function coverage(): Coverage {
  const promised = requirements.map(({ id }) => id);
  const root = join(import.meta.dirname, '..');
  return coverageOf(
    citationsOfTests(root, new Set(promised)),
    promised,
    gaps.map(({ id }) => id),
  );
}
