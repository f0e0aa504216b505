import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { limits } from '../limits.ts';
import { allRefused, openWorld, type World } from '../test-support/world.ts';
import { walkChain, type Walked, type WalkLimits } from './walk.ts';

let world: World;
let total: number;
beforeAll(async () => {
  world = await openWorld();
  await world.renew();
  total = (await whole()).events;
  expect(total).toBeGreaterThan(10);
});
afterAll(() => world.close());

const sql = (text: string, values: unknown[] = []) => world.iam.store.run(text, [world.tenantId, ...values]);
const walk = (after: number, o: WalkLimits) => walkChain(world.iam.store, world.tenantId, after, o);
const whole = () => walk(0, { page: 1_000, eventsMax: 1_000 });

/** One walk after another, each from where the one before ended. */
async function inPieces(o: WalkLimits): Promise<{ last: Walked; most: number; events: number }> {
  let last = await walk(0, o);
  let most = last.events;
  let events = last.events;
  while (last.nextAfter !== null) {
    last = await walk(last.nextAfter, o);
    most = Math.max(most, last.events);
    events += last.events;
  }
  return { last, most, events };
}
/** Every digit another one, and done twice as it was. The first event's hash before it is all zeros. */
const negated = (column: string): string => `translate(${column}, '0123456789abcdef', 'fedcba9876543210')`;
const sizes = fc.record({ page: fc.integer({ min: 1, max: 7 }), eventsMax: fc.integer({ min: 1, max: 12 }) });

test('iam§22 a chain checked in pieces of any size is as whole as one checked at once, and no piece is larger than it may be', async () => {
  const at = await whole();
  await fc.assert(
    fc.asyncProperty(sizes, async (o) => {
      const { last, most, events } = await inPieces(o);
      expect(last).toMatchObject({ ok: true, hash: (at as { hash: string }).hash, nextAfter: null });
      expect(events).toBe(total);
      expect(most).toBeLessThan(o.eventsMax + o.page);
    }),
    { numRuns: 40 },
  );
});

test('iam§22 whatever is changed, taken out or cut off, the pieces together name the failure that one walk names', async () => {
  const damages: [change: string, undo: string][] = [
    ["set resource_id = resource_id || '!'", 'set resource_id = left(resource_id, -1)'],
    ['set sequence = sequence + 100000', 'set sequence = sequence - 100000'],
    [`set previous_hash = ${negated('previous_hash')}`, `set previous_hash = ${negated('previous_hash')}`],
    [`set hash = ${negated('hash')}`, `set hash = ${negated('hash')}`],
  ];
  await fc.assert(
    fc.asyncProperty(sizes, fc.constantFrom(...damages), fc.integer({ min: 1, max: total }), async (o, [change, undo], at) => {
      await sql(`update iam.audit_events ${change} where tenant_id = $1 and sequence = $2`, [at]);
      try {
        const one = await whole();
        const { last } = await inPieces(o);
        expect(one.ok).toBe(false);
        expect(last).toMatchObject({ ok: false, failure: (one as { failure: string }).failure, sequence: (one as { sequence: number }).sequence });
      } finally {
        await sql(`update iam.audit_events ${undo} where tenant_id = $1 and sequence in ($2::bigint, $2::bigint + 100000)`, [at]);
      }
    }),
    { numRuns: 40 },
  );
  expect(await whole()).toMatchObject({ ok: true, events: total });
});

test('iam§22 what is rewritten behind a walk is found by the next one', async () => {
  const first = await walk(0, { page: 2, eventsMax: 4 });
  expect(first).toMatchObject({ ok: true, nextAfter: 4 });
  await sql('update iam.audit_events set hash = reverse(hash) where tenant_id = $1 and sequence = $2', [4]);
  expect(await walk(4, { page: 2, eventsMax: 4 })).toMatchObject({ ok: false, failure: 'previous-hash-mismatch', sequence: 5 });
  await sql('update iam.audit_events set hash = reverse(hash) where tenant_id = $1 and sequence = $2', [4]);
  expect(await walk(total + 1, { page: 2, eventsMax: 4 })).toMatchObject({ ok: false, failure: 'sequence-gap' });
});

test('iam§22 one identity has so many walks in 15 minutes', async () => {
  const verify = () => world.iam.api.audit.verify(world.owner);
  for (let i = 0; i < limits.auditVerifiesPerWindow; i++) expect((await verify()).ok).toBe(true);
  await allRefused('RATE_LIMITED', [verify()]);
});
