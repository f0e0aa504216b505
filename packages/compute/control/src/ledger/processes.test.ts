import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Order, Report } from '../testing/forked-plane.ts';
import { overlapsOf, readHistory } from '../testing/history.ts';
import { PLATFORM, POOL, TENANT, type TestPlane, testPlane } from '../testing/test-plane.ts';

const CALLERS = 64;
const ROUNDS = 18;
const GPUS = 48;
/** Of all callers together, in both processes. */
const LIVE_MOST = 24;

type Finished = Extract<Report, { worked: unknown }>;

let plane: TestPlane;
const finished: Finished[] = [];

beforeAll(async () => {
  plane = await testPlane();
  await plane.pool();
  await plane.nodes(GPUS / 8);
  const root = plane.as({ tenantId: PLATFORM, hasRootOverride: true });
  await root.budgets.set({ tenantId: TENANT, unit: 'liveReservations', limit: LIVE_MOST });
  await root.budgets.set({ tenantId: TENANT, unit: 'gpuHours', limit: 1_000_000 });
  const processes = [0, 1].map((half) => start(Array.from({ length: CALLERS / 2 }, (_, i) => 1 + half + 2 * i)));
  // neither begins before both can
  await Promise.all(processes.map((child) => next(child)));
  const reports = processes.map((child) => next(child));
  for (const child of processes) child.send('work');
  finished.push(...((await Promise.all(reports)) as Finished[]));
  for (const child of processes) if (child.exitCode === null) await once(child, 'exit');
}, 120_000);
afterAll(() => plane.close());

function start(callers: number[]) {
  const child = fork(join(import.meta.dirname, '../testing/forked-plane.ts'), { execArgv: [] });
  child.send({ connectionString: plane.database.connectionString, now: plane.now(), callers, rounds: ROUNDS } satisfies Order);
  return child;
}

const next = async (child: ReturnType<typeof start>): Promise<Report> => {
  const [message] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`the process ended with ${code}`);
    }),
  ]);
  return message as Report;
};

const workers = () => finished.flatMap((one) => one.worked);
const sum = (numbers: number[]): number => numbers.reduce((total, n) => total + n, 0);

test('compute§13 issue2.5 two operating system processes, 64 callers, one pool: every answer was an effect or a no, and they ran at the same time', () => {
  expect(finished.flatMap((one) => one.faults)).toEqual([]);
  expect(workers()).toHaveLength(CALLERS);
  expect(sum(workers().map((one) => one.done))).toBeGreaterThan(200);
  expect(sum(workers().map((one) => one.ended.length))).toBeGreaterThan(20);
  // pool and budget were contended, or nothing was tried here
  for (const code of ['NO_CAPACITY', 'QUOTA_EXCEEDED']) expect(sum(workers().map((one) => one.refused[code] ?? 0))).toBeGreaterThan(20);
  const [a, b] = finished as [Finished, Finished];
  expect(Math.min(a.endedAt, b.endedAt)).toBeGreaterThan(Math.max(a.startedAt, b.startedAt));
});

test('compute§5.3 compute§13 the history of the pool has no gap, and no GPU is anybody’s twice at any moment of it', async () => {
  const history = await readHistory(plane.database, POOL);
  expect(history.length).toBeGreaterThan(200);
  expect(history.map((row) => row.seq)).toEqual(history.map((_, i) => i + 1));
  expect(overlapsOf(history)).toEqual([]);
});

test('compute§13 no release is lost and none is doubled: what the callers were told is what is there', async () => {
  const rows = await plane.database.rows<{ id: string; state: string; claimIds: string[] }>(
    `select id, state, claim_ids as "claimIds" from compute.reservation where tenant_id = $1`,
    [TENANT],
  );
  const live = rows.filter((row) => row.state === 'active' || row.state === 'scheduled');
  const ended = rows.filter((row) => row.state === 'released' || row.state === 'cancelled');
  expect(live.map((row) => row.id).sort()).toEqual(
    workers()
      .flatMap((one) => one.live)
      .sort(),
  );
  expect(ended.map((row) => row.id).sort()).toEqual(
    workers()
      .flatMap((one) => one.ended)
      .sort(),
  );
  expect(live.length + ended.length).toBe(rows.length);
  const claims = await plane.database.rows<{ id: string }>('select distinct claim_id as id from compute.claim');
  expect(claims.map((row) => row.id).sort()).toEqual(live.flatMap((row) => row.claimIds).sort());
});

test('compute§3.5 compute§13 the organization’s budget was never exceeded between the two, and nothing of it is lost', async () => {
  const edges = await plane.database.rows<{ from: string; to: string }>(
    'select from_state as "from", to_state as "to" from compute.transition order by number',
  );
  let live = 0;
  let most = 0;
  for (const { from, to } of edges) {
    live += from === 'requested' ? 1 : ['released', 'cancelled'].includes(to) ? -1 : 0;
    most = Math.max(most, live);
  }
  expect(most).toBe(LIVE_MOST);
  expect(live).toBe(workers().flatMap((one) => one.live).length);
  const booked = await plane.database.one<{ hours: number }>(
    `select sum((select sum((p ->> 'count')::int) from jsonb_array_elements(request -> 'requests') p) * (expires_at - starts_at) / 3600000.0) as hours
     from compute.reservation where state in ('active', 'scheduled')`,
  );
  const { items } = await plane.as({}).budgets.list();
  const used = Object.fromEntries(items.map((budget) => [budget.unit, budget.used]));
  expect(used.liveReservations).toBe(live);
  expect(used.gpuHours).toBeCloseTo(booked!.hours, 6);
});

test('compute§13 once everything is given back the whole pool is free, in a third process that only reads the ledger', async () => {
  const other = await plane.another();
  for (const [i, one] of workers().entries()) {
    const client = plane.as({ identityId: `usr_${order()[i]}` });
    for (const reservationId of one.live) await client.reservations.release({ reservationId });
  }
  const { capacity } = await plane.as({}, { fetch: other.handler }).capacity.byPool({ poolId: POOL });
  expect(capacity.products[0]).toMatchObject({ total: GPUS, reserved: 0, free: GPUS, next24h: [{ free: GPUS }] });
  expect(await plane.database.one('select count(*) as n from compute.claim')).toEqual({ n: 0 });
});

/** Numbers of the callers in the order of the reports. */
const order = (): number[] => [0, 1].flatMap((half) => Array.from({ length: CALLERS / 2 }, (_, i) => 1 + half + 2 * i));
