/** Counts work down (`iam.md` §10.6). Below zero it has run out, and whatever was being tested counts as a limit, not as an answer. */
export interface Meter {
  stepsLeft: number;
}

/** A pattern ready to be matched. Without a meter one match costs at most pattern length x value length steps. */
export type CompiledPattern = (value: string, meter?: Meter) => boolean;

/** `iam.md` §10.2: anchored, case-sensitive; `*` any run, `?` one code point; no escape. */
export function compilePattern(_pattern: string): CompiledPattern {
  throw new Error('not built yet');
}

/** Whether `value` as a whole matches `pattern` (`iam.md` §10.2). Wildcards in `value` are ordinary characters. */
export function matchPattern(pattern: string, value: string): boolean {
  return compilePattern(pattern)(value);
}
