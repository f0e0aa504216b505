import { expect, onTestFinished, test } from 'vitest';
import type { Database, OutboxEvent, Tx } from '../database.ts';
import { openDatabase } from '../index.ts';
import { limits } from '../limits.ts';
import { onEachEngine } from '../testing/on-each-engine.ts';

const event = (key: string) => ({ topic: 'test', key, payload: { key } });

/** What a subscriber has seen, by key. */
function recorder(db: Database): { keys: string[]; events: OutboxEvent[]; stop: () => void } {
  const keys: string[] = [];
  const events: OutboxEvent[] = [];
  const stop = db.subscribe((e) => {
    keys.push(e.key);
    events.push(e);
  });
  return { keys, events, stop };
}

/** A transaction that has published and waits for `commit()`. */
async function holding(db: Database, publish: (tx: Tx) => Promise<unknown>): Promise<{ commit: () => Promise<void> }> {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let done: Promise<void> | undefined;
  await new Promise<void>((published) => {
    done = db.transaction(async (tx) => {
      await publish(tx);
      published();
      await released;
    });
  });
  return {
    commit: async () => {
      release();
      await done;
    },
  };
}

/** For databases opened from now on: what comes by itself within the test has not come by the polling net. */
function withoutPolling(): void {
  const { pollMs } = limits;
  const set = (ms: number): void => void Object.assign(limits, { pollMs: ms });
  set(3_600_000);
  onTestFinished(() => set(pollMs));
}

/** The follower has begun to read after this was called. */
async function hasRead(db: Database): Promise<void> {
  const { now } = (await db.one<{ now: string }>('select clock_timestamp()::text as now'))!;
  const text = 'select pid from pg_stat_activity where datname = current_database() and query like $1 and query_start > $2::timestamptz';
  await expect.poll(() => db.rows(text, ['%from store.outbox o%', now]), { timeout: 20_000 }).not.toEqual([]);
}

onEachEngine('outbox', (open) => {
  test('issue2.3 an event is seen after the commit with its payload, and never after a rollback', async () => {
    const db = await open();
    const seen = recorder(db);
    await db.transaction((tx) => tx.publish({ topic: 'a', key: 'lost', payload: null }).then(() => Promise.reject(new Error('no')))).catch(() => {});
    await db.transaction((tx) => tx.publish({ topic: 'reservations', key: 'rsv_1', payload: { state: 'placed', gpus: [1, 2] } }));
    await expect
      .poll(() => seen.events)
      .toEqual([{ id: expect.any(String), topic: 'reservations', key: 'rsv_1', payload: { state: 'placed', gpus: [1, 2] }, at: expect.any(Number) }]);
    expect(Math.abs((seen.events[0]?.at ?? 0) - (await db.nowMs()))).toBeLessThan(5_000);
  });

  test('issue2.3 an event of a transaction that commits later than a younger one is not missed, and both come in order', async () => {
    const db = await open();
    const seen = recorder(db);
    const older = await holding(db, async (tx) => {
      // its first change gives a transaction its place
      await tx.run('create table change ()');
      await tx.publish(event('older'));
    });
    await db.transaction((tx) => tx.publish(event('younger')));
    // the younger one is committed, and held back: a reader that moved past it would never come back for the older one
    expect(await db.one('select count(*) as n from store.outbox')).toEqual({ n: 1 });
    await older.commit();
    await expect.poll(() => seen.keys).toEqual(['older', 'younger']);
  });

  test('issue2.3 an event that an unrelated transaction held back comes soon after that one ends, without another wake-up', async () => {
    withoutPolling();
    const db = await open();
    const seen = recorder(db);
    const unrelated = await holding(db, (tx) => tx.run('create table t ()'));
    await db.transaction((tx) => tx.publish(event('held')));
    await hasRead(db);
    await unrelated.commit();
    await expect.poll(() => seen.keys).toEqual(['held']);
  });

  test('issue2.3 none of many concurrent transactions is missed or given twice, by any process, and each one keeps its own order', async () => {
    const db = await open();
    const other = await openDatabase({ url: db.connectionString });
    try {
      const here = recorder(db);
      const there = recorder(other);
      const wanted = Array.from({ length: 300 }, (_, n) => [`${n}/0`, `${n}/1`, `${n}/2`]);
      // as many at once as there are connections: a caller in a long queue is refused on a slow machine
      const next = wanted.entries();
      const publishing = async (through: Database): Promise<void> => {
        for (const [, keys] of next)
          await through.transaction(async (tx) => {
            for (const key of keys) await tx.publish(event(key));
          });
      };
      await Promise.all(Array.from({ length: 20 }, (_, n) => publishing(n % 2 ? db : other)));
      for (const { keys } of [here, there]) {
        await expect.poll(() => keys.length).toBe(900);
        expect([...keys].sort()).toEqual(wanted.flat().sort());
        for (const own of wanted) expect(keys.filter((key) => own.includes(key))).toEqual(own);
      }
      expect(here.keys).toEqual(there.keys);
    } finally {
      await other.close();
    }
  });

  test('issue2.3 NOTIFY wakes another process long before its next poll', async () => {
    withoutPolling();
    const db = await open();
    const other = await openDatabase({ url: db.connectionString });
    try {
      const seen = recorder(other);
      for (let n = 0; n < 20; n++) {
        const arrived = new Promise<void>((resolve) => {
          const stop = other.subscribe(() => {
            stop();
            resolve();
          });
        });
        await db.transaction((tx) => tx.publish(event(String(n))));
        await arrived;
      }
      expect(seen.keys).toHaveLength(20);
    } finally {
      await other.close();
    }
  });

  test('issue2.3 a lost wake-up costs a poll and no event', async () => {
    const db = await open();
    const seen = recorder(db);
    await db.run(`insert into store.outbox (topic, key, payload) values ('test', 'silent', '{}')`);
    await expect.poll(() => seen.keys, { timeout: 20_000 }).toEqual(['silent']);
  });

  test('issue2.3 the listening connection comes back after it is cut, and what came meanwhile is not missed', async () => {
    const db = await open();
    const seen = recorder(db);
    await db.transaction((tx) => tx.publish(event('before')));
    await expect.poll(() => seen.keys).toEqual(['before']);
    const cut = await db.rows(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ilike '%store.outbox%' and pid <> pg_backend_pid()`,
    );
    expect(cut.length).toBeGreaterThan(0);
    await db.transaction((tx) => tx.publish(event('after')));
    await expect.poll(() => seen.keys, { timeout: 20_000 }).toEqual(['before', 'after']);
  });

  test('issue2.3 subscribing starts now, stopping stops, and one subscriber that throws does not hinder another', async () => {
    const db = await open();
    const early = recorder(db);
    const warnings: unknown[] = [];
    const onWarning = ({ message }: Error): void => {
      if (message === 'a bad subscriber') warnings.push(message);
    };
    process.on('warning', onWarning);
    const stopThrowing = db.subscribe(() => {
      throw new Error('a bad subscriber');
    });
    await db.transaction((tx) => tx.publish(event('one')));
    await expect.poll(() => early.keys).toEqual(['one']);
    await expect.poll(() => warnings).toEqual(['a bad subscriber']);
    process.off('warning', onWarning);
    stopThrowing();
    early.stop();
    const late = recorder(db);
    await db.transaction((tx) => tx.publish(event('two')));
    await expect.poll(() => late.keys).toEqual(['two']);
    expect(early.keys).toEqual(['one']);
  });

  test('issue2.3 old events are pruned by the database clock, younger ones stay', async () => {
    const db = await open();
    await db.transaction((tx) => tx.publish(event('young')));
    await db.run(
      `insert into store.outbox (topic, key, payload, at) select 'test', 'old', '{}', floor(extract(epoch from now()) * 1000)::bigint - 7 * 86400000 - 60000`,
    );
    expect(await db.pruneOutbox(8)).toBe(0);
    expect(await db.pruneOutbox(7)).toBe(1);
    expect(await db.rows('select key from store.outbox')).toEqual([{ key: 'young' }]);
  });
});
