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
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // what is waited for comes at once, but not on a machine that is busy with something else
    expect: { poll: { timeout: 10_000 } },
  },
});
