import { startVitest, type TestCase, type TestModule } from 'vitest/node';
import type { Outcome } from './outcome.ts';

const nameOf = (test: TestCase): string => `${test.module.relativeModuleId} > ${test.fullName}`;

/** A file that does not load and a hook that fails are failures of their own: no test in them tells. */
function failuresOutsideTests(module: TestModule): number {
  const suites = [module, ...module.children.allSuites()];
  return suites.filter((suite) => suite.errors().length > 0).length;
}

/** Adds up a finished run. What neither passed nor was skipped has failed, a test that never ended included. */
function tally(modules: readonly TestModule[], unhandledErrors: number): Outcome {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const inState = (state: string): TestCase[] => tests.filter((test) => test.result().state === state);
  const passed = inState('passed').length;
  const skipped = inState('skipped').map(nameOf);
  const outside = modules.reduce((sum, module) => sum + failuresOutsideTests(module), 0);
  return { passed, failed: tests.length - passed - skipped.length + outside + unhandledErrors, skipped };
}

/** Runs the tests under `root` whose path holds one of `filters` (all without any). Finding none is a failure. */
export async function runTests(root: string, filters: readonly string[]): Promise<Outcome> {
  const outcome = Promise.withResolvers<Outcome>();
  const vitest = await startVitest(
    [...filters],
    {
      root,
      run: true,
      watch: false,
      allowOnly: false,
      silent: 'passed-only',
      reporters: [
        'default',
        { onTestRunEnd: (modules, errors) => outcome.resolve(modules.length === 0 ? { passed: 0, failed: 1, skipped: [] } : tally(modules, errors.length)) },
      ],
    },
    {},
  );
  await vitest.close();
  return outcome.promise;
}
