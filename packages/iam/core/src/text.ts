import { IamError } from './errors.ts';

export interface TextRules {
  /** Most characters, in UTF-16 units. */
  readonly max: number;
  /** Newline and tab are let through; in `reason` and `note` only. */
  readonly newline?: boolean;
  /** Named in the error. */
  readonly path?: string;
}

export type TextProblem = 'not-a-string' | 'too-long' | 'lone-surrogate' | 'control' | 'bidi-override' | 'zero-width';

// U+2028 and U+2029 break lines where a person reads, so they count as control characters.
const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
const controlButNewline = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/;
const bidi = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
// With the tag characters: they show nothing and carry whole hidden sentences.
const zeroWidth = /[\u00ad\u180e\u200b-\u200d\u2060-\u2065\ufeff\u{e0000}-\u{e007f}]/u;

/** What the text rules of `iam.md` §6 hold against `value`, or undefined. */
export function textProblem(value: unknown, rules: TextRules): TextProblem | undefined {
  if (typeof value !== 'string') return 'not-a-string';
  if (value.length > rules.max) return 'too-long';
  if (!value.isWellFormed()) return 'lone-surrogate';
  if ((rules.newline === true ? controlButNewline : control).test(value)) return 'control';
  if (bidi.test(value)) return 'bidi-override';
  if (zeroWidth.test(value)) return 'zero-width';
  return undefined;
}

/** `value` itself when it obeys the text rules of `iam.md` §6; else `INVALID_INPUT` with `details: { path?, problem }`. An empty string obeys them. */
export function checkText(value: unknown, rules: TextRules): string {
  const problem = textProblem(value, rules);
  if (problem === undefined) return value as string;
  const path = rules.path ?? 'text';
  const said: Record<TextProblem, string> = {
    'not-a-string': 'must be a string',
    'too-long': `must have at most ${rules.max} characters`,
    'lone-surrogate': 'must be well-formed Unicode',
    control: 'must not contain control characters',
    'bidi-override': 'must not contain characters that change the direction of text',
    'zero-width': 'must not contain invisible characters',
  };
  throw new IamError('INVALID_INPUT', `${path} ${said[problem]}`, { details: { path, problem } });
}
