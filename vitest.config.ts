import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'packages/*/*/src/**/*.test.ts',
      'apps/*/src/**/*.test.ts',
      'tests/**/*.test.ts',
      'tools/**/*.test.ts',
      'conformance/**/*.test.ts',
      'bench/**/*.test.ts',
    ],
    pool: 'threads',
    isolate: false,
    maxWorkers: 2,
    // what is waited for comes soon, but not on a machine that is busy with something else: only what hangs may come to these
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
