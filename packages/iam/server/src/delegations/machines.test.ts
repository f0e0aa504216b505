import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commands } from '../test-support/machines/commands.ts';
import { begin } from '../test-support/machines/real.ts';
import { openWorld, type World } from '../test-support/world.ts';

// A campaign: IAM_MACHINES_MINUTES=10 vitest run packages/iam/server/src/delegations/machines.test.ts. One run again: IAM_MACHINES_SEED and _PATH.
const minutes = Number(process.env.IAM_MACHINES_MINUTES ?? 0);
// the same for every run of the suite, which asserts that it got far enough; campaigns give others
const seed = Number(process.env.IAM_MACHINES_SEED ?? 20_261_130);
const runs = Number(process.env.IAM_MACHINES_RUNS ?? 20);
const path = process.env.IAM_MACHINES_PATH;

let world: World;
beforeAll(async () => {
  world = await openWorld();
  await world.renew();
});
afterAll(() => world.close());

test(`iam§14.3 iam§17.2 iam§25 delegations, hand-offs, deputies and confirmations do what their states say, alone and at once (seed ${seed})`, {
  timeout: minutes * 60_000 + 600_000,
}, async () => {
  console.log(`state machines: seed ${seed}`);
  let made = 0;
  const seen = new Map<string, number>();
  const property = fc.asyncProperty(commands(60), async (cmds) => {
    const run = ++made;
    const names = [0, 1, 2].map((n) => `machine-${seed}-${run}-${n}`);
    await fc.asyncModelRun(async () => ({ model: { now: await begin(world, names), seen }, real: world }), cmds);
  });
  await fc.assert(property, {
    seed,
    // short ones reach nothing
    unbiased: true,
    ...(path === undefined ? {} : { path }),
    ...(minutes > 0 ? { numRuns: 1_000_000, interruptAfterTimeLimit: minutes * 60_000, markInterruptAsFailure: false } : { numRuns: runs }),
  });
  console.log(
    `state machines: ${made} runs; ${[...seen]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([what, times]) => `${what} ${times}`)
      .join(', ')}`,
  );
  // what never came about was not tried
  for (const what of ['assume ok', 'ask ok', 'settle ok', 'use admitted', 'at once use ok', 'at once settle ok'])
    expect(seen.get(what) ?? 0, what).toBeGreaterThan(0);
  const { ok } = (await world.iam.api.audit.verify({ token: await world.signIn('acme', 'owner@acme.test') })) as { ok: boolean };
  expect(ok).toBe(true);
});
