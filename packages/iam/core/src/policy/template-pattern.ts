import { type CompiledPattern, matchSegments, type Segment, segmentsOf } from '../pattern.ts';
import type { Context } from './context.ts';
import { compileTemplate, type Template, type TextReader } from './template.ts';

/** A pattern whose variables are filled in per request; undefined when one is unresolved. `fold` is applied to literals and values alike. */
export function compileTemplatePattern(template: Template, fold?: (text: string) => string): (context: Context) => CompiledPattern | undefined {
  const segments = templateSegmentsOf(template, fold ?? ((text) => text)).map((segment) => segment.map((literal) => compileTemplate(literal, fold)));
  return (context) => {
    const filled: Segment[] = [];
    for (const segment of segments) {
      const literals = fillSegment(segment, context);
      if (literals === undefined) return undefined;
      filled.push(literals);
    }
    return (value, meter) => matchSegments(filled, value, meter);
  };
}

/** Wildcards are looked for in the author's text alone: what a variable brings stays text (`iam.md` §10.3). */
function templateSegmentsOf(template: Template, fold: (text: string) => string): Template[][] {
  const segments: string[][][] = [[['']]];
  const append = (text: string) => {
    const literal = segments.at(-1)?.at(-1);
    literal?.push((literal.pop() ?? '') + text);
  };
  for (const [index, part] of template.entries()) {
    if (index % 2 === 1) {
      segments.at(-1)?.at(-1)?.push(part, '');
      continue;
    }
    for (const [runIndex, run] of segmentsOf(fold(part)).entries()) {
      if (runIndex > 0) segments.push([['']]);
      for (const [literalIndex, literal] of run.entries()) {
        if (literalIndex > 0) segments.at(-1)?.push(['']);
        append(literal);
      }
    }
  }
  return segments;
}

function fillSegment(segment: readonly TextReader[], context: Context): Segment | undefined {
  const literals: string[] = [];
  for (const read of segment) {
    const text = read(context);
    if (text === undefined) return undefined;
    literals.push(text);
  }
  return literals;
}
