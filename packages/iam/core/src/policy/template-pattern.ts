import { type CompiledPattern, compileSegments, type Segment, segmentsOf } from '../pattern.ts';
import type { Context } from './context.ts';
import { type Template, variableValue } from './template.ts';

/** Like a segment of a pattern, with variables inside its literals. */
type TemplateSegment = readonly Template[];

/** A pattern whose variables are filled in per request; undefined when one is unresolved. `fold` is applied to literals and values alike. */
export function compileTemplatePattern(template: Template, fold?: (text: string) => string): (context: Context) => CompiledPattern | undefined {
  const segments = templateSegmentsOf(template, fold ?? ((text) => text));
  return (context) => {
    const filled: Segment[] = [];
    for (const segment of segments) {
      const literals = fillSegment(segment, context, fold);
      if (literals === undefined) return undefined;
      filled.push(literals);
    }
    return compileSegments(filled);
  };
}

/** Wildcards are looked for in the author's text alone: what a variable brings stays text (`iam.md` §10.3). */
function templateSegmentsOf(template: Template, fold: (text: string) => string): TemplateSegment[] {
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

function fillSegment(segment: TemplateSegment, context: Context, fold?: (text: string) => string): Segment | undefined {
  const literals: string[] = [];
  for (const template of segment) {
    let text = template[0] ?? '';
    for (let index = 1; index < template.length; index += 2) {
      const value = variableValue(template[index] ?? '', context);
      if (value === undefined) return undefined;
      text += (fold === undefined ? value : fold(value)) + (template[index + 1] ?? '');
    }
    literals.push(text);
  }
  return literals;
}
