/** `iam.md` §10.2 word for word, over code points and with trial of every split: slow, obvious, and nothing of the product in it. */
export function naiveGlob(pattern: string, value: string): boolean {
  return matchFrom([...pattern], [...value]);
}

/** A pattern some of whose elements are text to be taken literally, as variables are. */
export type GlobToken = string | { readonly literal: string };

export function matchFrom(pattern: readonly GlobToken[], value: readonly string[]): boolean {
  // Tabulated from the ends so that hostile cases end; the rule per cell is the plain recursive one.
  const fits = Array.from({ length: pattern.length + 1 }, () => Array.from({ length: value.length + 1 }, () => false));
  const at = (p: number, v: number): boolean => fits[p]?.[v] ?? false;
  for (let p = pattern.length; p >= 0; p--) {
    for (let v = value.length; v >= 0; v--) {
      const token = pattern[p];
      let isFit: boolean;
      if (token === undefined) isFit = v === value.length;
      else if (token === '*') isFit = at(p + 1, v) || (v < value.length && at(p, v + 1));
      else if (token === '?') isFit = v < value.length && at(p + 1, v + 1);
      else isFit = value[v] === (typeof token === 'string' ? token : token.literal) && at(p + 1, v + 1);
      const row = fits[p];
      if (row !== undefined) row[v] = isFit;
    }
  }
  return at(0, 0);
}
