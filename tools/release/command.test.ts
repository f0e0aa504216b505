import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run, strangersEnvironment } from './command.ts';
import { ReleaseFailure } from './failure.ts';

describe('issue2.11 the environment and the commands of a release', () => {
  test("a stranger has this Node and npm's own settings, and nothing of the clone", () => {
    const env = strangersEnvironment('/clone', {
      PATH: '/clone/node_modules/.bin:/clone/x/node_modules/.bin:/clones:/usr/bin',
      npm_package_name: 'better-compute-workspace',
      npm_config_local_prefix: '/clone',
      npm_config_cache: '/cache',
      INIT_CWD: '/clone',
      BETTER_COMPUTE_DATABASE_URL: 'postgres://somewhere',
      HOME: '/home/somebody',
    });
    expect(env).toEqual({ PATH: `${dirname(process.execPath)}:/clones:/usr/bin`, npm_config_cache: '/cache', HOME: '/home/somebody' });
  });

  const at = { cwd: '/', env: process.env, purpose: 'it did not work', secondsMax: 30 };

  test('a command answers what it printed', () => {
    expect(run(process.execPath, ['-p', '1 + 1'], at)).toBe('2\n');
  });

  test.each([
    ['exit 3', "console.log('out'); console.error('err'); process.exit(3)", 'out\nerr'],
    ['ended by SIGKILL', "process.kill(process.pid, 'SIGKILL')", ''],
  ])('one that ends with %s fails with its purpose and last lines', (how, script, said) => {
    const failure = [`it did not work: ${process.execPath} -e ${script}: ${how}`, said].filter(Boolean).join('\n');
    expect(() => run(process.execPath, ['-e', script], at)).toThrow(new ReleaseFailure(failure));
  });

  test('one that does not exist, or takes longer than it may, fails too', () => {
    expect(() => run('/no/such/program', [], at)).toThrow(ReleaseFailure);
    expect(() => run(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { ...at, secondsMax: 0.2 })).toThrow(ReleaseFailure);
  });
});
