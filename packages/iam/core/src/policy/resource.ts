import { compilePattern, type CompiledPattern } from '../pattern.ts';
import type { Run, Test } from './run.ts';
import { parseTemplate } from './template.ts';
import { compileTemplatePattern } from './template-pattern.ts';

/** How the resource patterns of a statement bear on one type: not at all, on every id, or as the test says. */
export type ResourceTest = 'never' | 'always' | Test;

/** `iam.md` §10.2: a pattern is matched against the whole of `type/id`; what is known once the type is known is settled here. */
export function compileResources(patterns: readonly string[], type: string): ResourceTest {
  const tests: Test[] = [];
  for (const pattern of patterns) {
    const test = compileResource(pattern, `${type}/`);
    if (test === 'always') return 'always';
    if (test !== 'never') tests.push(test);
  }
  const [only] = tests;
  if (only === undefined) return 'never';
  return tests.length === 1 ? only : (run) => tests.some((test) => test(run));
}

function compileResource(pattern: string, head: string): ResourceTest {
  if (pattern === '*') return 'always';
  if (pattern.startsWith(head)) {
    const idPattern = pattern.slice(head.length);
    return /^\*+$/.test(idPattern) ? 'always' : patternTest(idPattern, (run) => run.resourceId);
  }
  const literal = /^[^*?]*/.exec(pattern)?.[0] ?? '';
  // The type has no wildcard and is another one, or is a whole other beginning.
  if (literal.length === pattern.length || !head.startsWith(literal)) return 'never';
  return patternTest(pattern, (run) => run.resourcePath);
}

function patternTest(pattern: string, valueOf: (run: Run) => string): Test {
  const template = parseTemplate(pattern);
  if (template === undefined || template.length === 1) return plainTest(compilePattern(pattern), valueOf);
  const fill = compileTemplatePattern(template);
  return (run) => {
    run.stepsLeft -= template.length;
    return fill(run.context)?.(valueOf(run), run) ?? false;
  };
}

function plainTest(matches: CompiledPattern, valueOf: (run: Run) => string): Test {
  return (run) => {
    run.stepsLeft--;
    return matches(valueOf(run), run);
  };
}
