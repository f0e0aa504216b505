import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { PROGRAM } from './support/dev-process.ts';

const demo = (...args: string[]) =>
  spawnSync(process.execPath, [PROGRAM, 'demo', ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 240_000 });

test('issue2.9 demo --approve --json tells the main job to the end, one line per step', () => {
  const { status, stdout, stderr } = demo('--approve', '--json');
  expect(status, stderr).toBe(0);
  const steps = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { step: string; request: unknown; response: Record<string, any> });
  expect(steps.map((s) => s.step)).toEqual([
    'ready',
    'list-pools',
    'preview',
    'reserve-held',
    'reserve-approved',
    'reserve',
    'reserve-again',
    'extend-held',
    'extend-approved',
    'extend',
    'release',
    'list-reservations',
  ]);
  const by = Object.fromEntries(steps.map((s) => [s.step, s.response]));
  expect(by['reserve-held']).toMatchObject({ status: 'confirmation-required' });
  expect(by['reserve-approved']).toMatchObject({ status: 'approved' });
  expect(by.reserve!.reservation).toMatchObject({ state: 'active' });
  expect(by.release!.reservation.state).toBe('released');
  for (const step of steps) expect(Object.keys(step)).toEqual(['step', 'request', 'response']);
});

test('product§4 without a terminal and without --approve it exits 2 and says the command to type', () => {
  const { status, stderr } = demo();
  expect(status).toBe(2);
  expect(stderr).toContain('npm run demo -- --approve');
});
