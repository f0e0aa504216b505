import { iamService } from '@better-iam/client';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const NAMES = '\0contract-names';

/**
 * A client needs an operation's name and whether it takes input, has a key or is a stream. The schemas stay at home: they are a third of the page's
 * weight, and their library tries `eval` when it is loaded, which the content security policy forbids and reports.
 */
function contractNames(): Plugin {
  const operations = iamService.operations.map(({ id, key, events, input }) => ({
    id,
    key,
    events: events !== undefined,
    input: { shape: Object.fromEntries(Object.keys(input.shape).map((name) => [name, true])) },
  }));
  return {
    name: 'contract-names',
    enforce: 'pre',
    resolveId: (id) => (id === '@better-iam/contract' ? NAMES : undefined),
    load: (id) =>
      id === NAMES
        ? `export const iamService = ${JSON.stringify({ ...iamService, codes: {}, operations })}; export const operations = [], iamActions = [];`
        : undefined,
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [contractNames(), react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // a data: URI or an inline script would need a hole in the content security policy
    assetsInlineLimit: 0,
    rolldownOptions: { treeshake: { moduleSideEffects: (id) => !id.includes('/packages/') } },
  },
});
