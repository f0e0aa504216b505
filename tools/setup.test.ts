import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'setup-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Clone {
  root: string;
  run(...args: string[]): SpawnSyncReturns<string>;
  write(path: string, text: string): void;
  read(path: string): string;
}

/** A small clone whose npm is a script of ours: `npm.sh` does what the test wants; each call is a line of `calls`. */
function cloneWith(npm: string): Clone {
  const root = mkdtempSync(join(folder, 'clone-'));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const program = (path: string, text: string): void => {
    write(path, text);
    chmodSync(join(root, path), 0o755);
  };
  cpSync(join(import.meta.dirname, 'setup'), join(root, 'tools', 'setup'), { recursive: true });
  cpSync(join(import.meta.dirname, 'setup.mjs'), join(root, 'tools', 'setup.mjs'));
  write(
    'package-lock.json',
    JSON.stringify({
      packages: { '': {}, 'node_modules/a': {}, 'node_modules/b': { optional: true, os: [process.platform] }, 'node_modules/c': { os: ['other'] } },
    }),
  );
  program('bin/npm', `#!/bin/sh\necho "npm $1" >> calls\n${npm}\n`);
  symlinkSync(process.execPath, join(root, 'bin', 'node'));
  const env = { PATH: `${join(root, 'bin')}:/usr/bin:/bin` };
  return {
    root,
    write,
    read: (path) => readFileSync(join(root, path), 'utf8'),
    run: (...args) => spawnSync(process.execPath, [join(root, 'tools', 'setup.mjs'), ...args], { cwd: root, env, encoding: 'utf8' }),
  };
}

const whole = 'mkdir -p node_modules/a node_modules/b';

describe('issue2.10 setting up a clone', () => {
  test('packages are installed once, and again when the lock file changes', () => {
    const clone = cloneWith(whole);
    expect(clone.run().status).toBe(0);
    expect(clone.run().status).toBe(0);
    expect(clone.read('calls')).toBe('npm ci\n');
    clone.write('package-lock.json', JSON.stringify({ packages: { 'node_modules/a': {} } }));
    expect(clone.run().status).toBe(0);
    expect(clone.read('calls')).toBe('npm ci\nnpm ci\n');
  });

  test('a download that npm let fail without a word is refused, and tried again the next time', () => {
    const clone = cloneWith('mkdir -p node_modules/a');
    expect(clone.run()).toMatchObject({ status: 1, stderr: expect.stringContaining('not downloaded: node_modules/b: is the package registry reachable?') });
    clone.run();
    expect(clone.read('calls')).toBe('npm ci\nnpm ci\n');
  });

  test('a failing npm is one sentence without a stack, and leaves no lock', () => {
    const clone = cloneWith('exit 7');
    const { status, stderr } = clone.run();
    expect(status).toBe(1);
    expect(stderr.trim().split('\n').at(-1)).toBe('setup: npm ci failed (exit 7): is the package registry reachable?');
    expect(existsSync(join(clone.root, '.setup-lock'))).toBe(false);
  });

  test('the lock of a killed setup does not block the next one', async () => {
    const dead = spawn(process.execPath, ['-e', '']);
    await once(dead, 'exit');
    const clone = cloneWith(whole);
    clone.write('.setup-lock/pid', String(dead.pid));
    expect(clone.run()).toMatchObject({ status: 0, stderr: expect.not.stringContaining('waiting') });
  });

  test('a setup waits for the one that is running, and then has nothing to do', async () => {
    const clone = cloneWith(`while [ -d bin ] && [ ! -e go ]; do sleep 0.05; done; ${whole}`);
    const env = { PATH: `${join(clone.root, 'bin')}:/usr/bin:/bin` };
    const start = () => spawn(process.execPath, [join(clone.root, 'tools', 'setup.mjs')], { cwd: clone.root, env, stdio: ['ignore', 'ignore', 'pipe'] });
    const first = start();
    await once(first.stderr, 'data');
    const second = start();
    const ended = [first, second].map((one) => once(one, 'close'));
    // the first installs until the second has said something, however long that takes
    const said = await Promise.race([once(second.stderr, 'data'), ended[1]]);
    clone.write('go', '');
    expect(String(said)).toContain(`(process ${first.pid}), waiting for it`);
    expect((await Promise.all(ended)).map(([status]) => status as number)).toEqual([0, 0]);
    expect(clone.read('calls')).toBe('npm ci\n');
  });

  test('a Node that is too old is named, with what to do', () => {
    const clone = cloneWith(`${whole} node_modules/.bin; printf '#!/bin/sh\\necho v20.1.0\\n' > node_modules/.bin/node; chmod +x node_modules/.bin/node`);
    expect(clone.run()).toMatchObject({ status: 1, stderr: expect.stringContaining('Node 24 or newer is needed, found v20.1.0') });
  });
});

describe('product§4 what is installed on the system', () => {
  test('--no-system installs nothing and names what is left out; demo needs nothing', () => {
    const clone = cloneWith(whole);
    // No dpkg-query under this PATH, so that every machine looks bare.
    const env = { PATH: join(clone.root, 'bin') };
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [join(clone.root, 'tools', 'setup.mjs'), ...args], { cwd: clone.root, env, encoding: 'utf8' });
    clone.run();
    expect(run('test', '--no-system')).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('not installed, by your wish (--no-system or BETTER_COMPUTE_NO_SYSTEM=1): chromium, fonts-liberation, postgresql'),
    });
    expect(run('demo')).toMatchObject({ status: 0, stderr: '' });
  });
});

describe('issue2.10 building the console', () => {
  const vite = "import { appendFileSync, mkdirSync } from 'node:fs'; mkdirSync('dist', { recursive: true }); appendFileSync('../../builds', 'x');";

  function cloneWithConsole(): Clone {
    const clone = cloneWith(`${whole} node_modules/vite/bin; cp vite.js node_modules/vite/bin/vite.js; ln -sfn ../packages/client node_modules/client`);
    clone.write('package.json', '{"type":"module"}');
    clone.write('vite.js', vite);
    clone.write('apps/console/vite.config.ts', '');
    clone.write('apps/console/package.json', '{"dependencies":{"client":"*","react":"19.0.0"}}');
    clone.write('apps/console/src/main.tsx', 'one');
    clone.write('packages/client/package.json', '{}');
    clone.write('packages/client/src/index.ts', 'one');
    return clone;
  }

  test('it is built once, and again when its sources or those of a package in it change', () => {
    const clone = cloneWithConsole();
    expect(clone.run().status).toBe(0);
    clone.run();
    expect(clone.read('builds')).toBe('x');
    clone.write('packages/client/src/index.ts', 'two');
    clone.run();
    clone.write('apps/console/src/main.test.tsx', 'a test changes nothing');
    clone.run();
    expect(clone.read('builds')).toBe('xx');
  });

  test('a failing build is said and repeated the next time', () => {
    const clone = cloneWithConsole();
    clone.write('vite.js', "console.error('no such thing'); process.exit(1);");
    expect(clone.run()).toMatchObject({ status: 1, stderr: expect.stringMatching(/no such thing[\s\S]*the console could not be built/) });
    expect(clone.run().status).toBe(1);
  });
});
