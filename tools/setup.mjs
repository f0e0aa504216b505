// Makes a fresh clone ready: packages, Node 24, the console and, for tests as root, Debian packages.
// Plain JavaScript without a dependency for any Node >= 18: it runs before anything is installed.
// Usage: node tools/setup.mjs [demo|test] [--no-system]
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildConsole, consoleReady } from './setup/console.mjs';
import { withLock } from './setup/lock.mjs';
import { installPackages, packagesReady } from './setup/packages.mjs';
import { environment, Refusal, root, say } from './setup/place.mjs';
import { installSystem } from './setup/system.mjs';

const NODE_MAJOR_MIN = 24;

/** The Node that `npm run` will take for the main script: ours from `node_modules/.bin`, else the user's own. */
function checkNode() {
  const { stdout } = spawnSync('node', ['-v'], { encoding: 'utf8', env: environment(), shell: process.platform === 'win32' });
  const version = stdout?.trim() || 'none';
  if (Number(/^v(\d+)/.exec(version)?.[1] ?? 0) >= NODE_MAJOR_MIN) return;
  throw new Refusal(
    `Node ${NODE_MAJOR_MIN} or newer is needed, found ${version}: there is no ready-made one for ${process.platform}-${process.arch}, please install it`,
  );
}

/** Looks before it takes the lock, for a ready clone may be read-only, and again under it. */
function alone(isReady, work) {
  if (!isReady()) withLock(join(root, '.setup-lock'), () => isReady() || work());
}

try {
  const [purpose] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
  const noSystem = process.argv.includes('--no-system') || process.env.BETTER_COMPUTE_NO_SYSTEM === '1';
  alone(packagesReady, installPackages);
  checkNode();
  alone(consoleReady, buildConsole);
  installSystem(purpose, { noSystem });
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  say(error.message);
  process.exitCode = 1;
}
