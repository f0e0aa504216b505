import { expect, test } from 'vitest';
import { isExclusionViolation, isUniqueViolation, StoreUnavailable } from './index.ts';
import { onEachEngine } from './testing/on-each-engine.ts';

onEachEngine('statements', (open) => {
  test('issue2.3 int8 and numeric come as numbers, jsonb parsed, date as text, timestamptz as Date', async () => {
    const db = await open();
    const row = await db.one(
      `select 1796042310302::int8 as at, 1.5::numeric as price, '{"a":[1,null]}'::jsonb as body, date '2026-11-30' as day,
              timestamptz '2026-11-30 12:00:00Z' as instant, count(*) as n, array[1,2]::int8[] as many`,
    );
    expect(row).toEqual({
      at: 1796042310302,
      price: 1.5,
      body: { a: [1, null] },
      day: '2026-11-30',
      instant: new Date('2026-11-30T12:00:00Z'),
      n: 1,
      many: expect.anything(),
    });
  });

  test('issue2.3 an int8 that a number cannot hold is an error, not a rounded number, and the connection goes on', async () => {
    const db = await open();
    await expect(db.one('select 9007199254740993::int8 as n')).rejects.toThrow(RangeError);
    expect(await db.one('select 1 as n')).toEqual({ n: 1 });
    expect(db.stats().total).toBe(1);
  });

  test('issue2.3 parameters go out and come back: null, undefined, text, bytes, dates, arrays, objects as JSON', async () => {
    const db = await open();
    const row = await db.one('select $1::text as a, $2::text as b, $3::text as c, $4::bytea as d, $5::timestamptz as e, $6::text[] as f, $7::jsonb as g', [
      null,
      undefined,
      `quote ' back\\slash "ü" 𝄞`,
      new Uint8Array([0, 255]),
      new Date(1_796_042_310_302),
      ['a,b', '"', 'NULL', null],
      { x: [1, { y: null }] },
    ]);
    expect(row).toEqual({
      a: null,
      b: null,
      c: `quote ' back\\slash "ü" 𝄞`,
      d: Buffer.from([0, 255]),
      e: new Date(1_796_042_310_302),
      f: ['a,b', '"', 'NULL', null],
      g: { x: [1, { y: null }] },
    });
  });

  test('issue2.3 each text is prepared once on a connection under a name derived from it', async () => {
    const db = await open();
    await db.transaction(async (tx) => {
      for (const n of [1, 2, 3]) expect(await tx.one('select $1::int as once', [n])).toEqual({ once: n });
      const prepared = await tx.rows('select name, statement from pg_prepared_statements where statement like $1', ['select $1::int as once']);
      expect(prepared).toEqual([{ name: expect.stringMatching(/^s_[0-9a-f]{24}$/), statement: 'select $1::int as once' }]);
    });
  });

  test('issue2.3 a value that cannot be sent or that the server refuses leaves the prepared statement usable', async () => {
    const db = await open();
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    await expect(db.one('select $1::jsonb as v', [circular])).rejects.toThrow(TypeError);
    await expect(db.one('select $1::jsonb as v', [() => 1])).rejects.toThrow(TypeError);
    await expect(db.one('select $1::jsonb as v', ['{'])).rejects.toMatchObject({ code: '22P02' });
    expect(await db.one('select $1::jsonb as v', ['{}'])).toEqual({ v: {} });
    expect(db.stats().total).toBe(1);
  });

  test('issue2.3 a wrong number of parameters is a programming error and not an outage', async () => {
    const db = await open();
    const wrong = db.one('select $1::int as a, $2::int as b', [1]);
    await expect(wrong).rejects.toMatchObject({ code: '08P01' });
    await expect(wrong).rejects.not.toBeInstanceOf(StoreUnavailable);
  });

  test('issue2.3 run gives the number of rows affected; violations are told apart by constraint', async () => {
    const db = await open();
    await db.run('create table t (id int constraint t_id primary key, during int4range, constraint t_free exclude using gist (during with &&))');
    expect(await db.run(`insert into t values (1, '[1,5)'), (2, '[5,9)')`)).toBe(2);
    expect(await db.run('update t set id = id + 10 where id > $1', [5])).toBe(0);
    const twice = await db.run(`insert into t values (1, '[20,21)')`).catch((e: unknown) => e);
    expect([isUniqueViolation(twice), isUniqueViolation(twice, 't_id'), isUniqueViolation(twice, 'other')]).toEqual([true, true, false]);
    const overlap = await db.run(`insert into t values (3, '[4,6)')`).catch((e: unknown) => e);
    expect([isExclusionViolation(overlap), isUniqueViolation(overlap)]).toEqual([true, false]);
    expect(isUniqueViolation(new Error('duplicate key value violates unique constraint'))).toBe(false);
  });

  test('issue2.3 a table that changes under a prepared statement is read anew', async () => {
    const db = await open();
    await db.run('create table t (a int)');
    await db.run('insert into t values (1)');
    expect(await db.rows('select * from t')).toEqual([{ a: 1 }]);
    expect(await db.transaction((tx) => tx.rows('select * from t'))).toEqual([{ a: 1 }]);
    await db.run('alter table t add column b int');
    expect(await db.rows('select * from t')).toEqual([{ a: 1, b: null }]);
    await db.run('alter table t add column c int');
    expect(await db.transaction((tx) => tx.rows('select * from t'))).toEqual([{ a: 1, b: null, c: null }]);
  });

  test('issue2.3 more work than connections waits its turn', async () => {
    const db = await open();
    const rows = await Promise.all(Array.from({ length: 200 }, (_, n) => db.one<{ n: number }>('select $1::int as n', [n])));
    expect(rows.map((row) => row?.n)).toEqual(Array.from({ length: 200 }, (_, n) => n));
    expect(db.stats().total).toBeLessThanOrEqual(10);
  });

  test('issue2.3 it says its version, health and clock, and closes twice', async () => {
    const db = await open();
    expect(db.serverVersion).toBe(db.engine === 'embedded' ? 18 : 15);
    expect(await db.health()).toBe(true);
    const before = Date.now();
    expect(Math.abs((await db.nowMs()) - before)).toBeLessThan(5_000);
    await Promise.all([db.close(), db.close()]);
    await expect(db.one('select 1')).rejects.toThrow(StoreUnavailable);
    expect(await db.health()).toBe(false);
  });
});
