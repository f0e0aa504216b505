// Where the clone is and how setup speaks; shared by its parts.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
export const modules = join(root, 'node_modules');

/** A reason to stop that the user can act on: printed as one sentence, without a stack. */
export class Refusal extends Error {}

/** On stderr, so that `--json` output of the command that follows stays clean. */
export const say = (line) => process.stderr.write(`setup: ${line}\n`);

/** The environment in which `node` is the repository's own, as npm gives it to its scripts. */
export const environment = () => ({
  ...process.env,
  PATH: [join(modules, '.bin'), process.env.PATH].join(process.platform === 'win32' ? ';' : ':'),
});

export const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
