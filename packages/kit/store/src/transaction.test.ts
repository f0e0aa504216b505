import { expect, test } from 'vitest';
import type { Isolation, Tx } from './database.ts';
import { isUniqueViolation, openDatabase, StoreUnavailable } from './index.ts';
import { cuttingProxy } from './testing/cutting-proxy.ts';
import { onEachEngine } from './testing/on-each-engine.ts';
import { unawaited } from './unawaited.ts';

/** Two transactions that both read before either writes: each call of `meet` waits for the other's first. */
function meeting(): () => Promise<void> {
  let arrived = 0;
  let open = (): void => {};
  const both = new Promise<void>((resolve) => {
    open = resolve;
  });
  return async () => {
    if (++arrived === 2) open();
    await both;
  };
}

onEachEngine('transactions', (open) => {
  async function withDoctors() {
    const db = await open();
    await db.run('create table doctor (name text primary key, "onCall" boolean not null)');
    await db.run(`insert into doctor values ('a', true), ('b', true)`);
    return db;
  }
  const leave = (meet: () => Promise<void>, name: string) => async (tx: Tx) => {
    const on = await tx.rows('select name from doctor where "onCall"');
    await meet();
    if (on.length > 1) await tx.run('update doctor set "onCall" = false where name = $1', [name]);
    return on.length;
  };

  test('compute§13 write skew passes under repeatable read and is retried away under serializable', async () => {
    const db = await withDoctors();
    const loose = meeting();
    await Promise.all(['a', 'b'].map((name) => db.transaction(leave(loose, name), { isolation: 'repeatable-read' })));
    expect(await db.rows('select name from doctor where "onCall"')).toEqual([]);
    await db.run('update doctor set "onCall" = true');
    const strict = meeting();
    const seen = await Promise.all(['a', 'b'].map((name) => db.transaction(leave(strict, name), { isolation: 'serializable' })));
    expect(await db.rows('select name from doctor where "onCall"')).toHaveLength(1);
    expect(seen.sort()).toEqual([1, 2]);
  });

  test('compute§13 a conflict that the caller wraps in an error of its own is still retried', async () => {
    const db = await withDoctors();
    const meet = meeting();
    const wrapping = (name: string) => async (tx: Tx) => {
      try {
        return await leave(meet, name)(tx);
      } catch (cause) {
        throw new Error('wrapped', { cause });
      }
    };
    await Promise.all(['a', 'b'].map((name) => db.transaction(wrapping(name), { isolation: 'serializable' })));
    expect(await db.rows('select name from doctor where "onCall"')).toHaveLength(1);
  });

  test('compute§13 deadlocks are retried', async () => {
    const db = await withDoctors();
    const meet = meeting();
    const touch = (first: string, second: string) => async (tx: Tx) => {
      await tx.run('update doctor set "onCall" = false where name = $1', [first]);
      await meet();
      await tx.run('update doctor set "onCall" = false where name = $1', [second]);
    };
    await Promise.all([db.transaction(touch('a', 'b')), db.transaction(touch('b', 'a'))]);
    expect(await db.rows('select name from doctor where "onCall"')).toEqual([]);
  });

  test('compute§13 retries are bounded: then it is an outage for this caller, with the conflict as its cause', async () => {
    const db = await open();
    let runs = 0;
    const never = db.transaction(
      async (tx) => {
        runs++;
        await tx.run(`do $$ begin raise exception using errcode = '40001', message = 'made up'; end $$`);
      },
      { retriesMax: 2 },
    );
    await expect(never).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(never).rejects.toMatchObject({ retryAfterMs: 1_000, outcomeUnknown: false, cause: { code: '40001' } });
    expect(runs).toBe(3);
  });

  test('issue2.3 isolation and read only are what was asked for', async () => {
    const db = await open();
    const shown = (o: Parameters<typeof db.transaction>[1]) =>
      db.transaction((tx) => tx.one(`select current_setting('transaction_isolation') as isolation, current_setting('transaction_read_only') as "readOnly"`), o);
    expect(await shown(undefined)).toEqual({ isolation: 'read committed', readOnly: 'off' });
    expect(await shown({ isolation: 'repeatable-read', readOnly: true })).toEqual({ isolation: 'repeatable read', readOnly: 'on' });
    expect(await shown({ isolation: 'serializable' })).toEqual({ isolation: 'serializable', readOnly: 'off' });
    await expect(db.transaction((tx) => tx.run('create table t ()'), { readOnly: true })).rejects.toMatchObject({ code: '25006' });
  });

  test('issue2.3 a throw rolls back and passes unchanged; afterCommit runs after a commit only, once also after a retry', async () => {
    const db = await open();
    await db.run('create table t (n int primary key)');
    const ran: string[] = [];
    const mine = new Error('mine');
    const failing = db.transaction(async (tx) => {
      await tx.run('insert into t values (1)');
      tx.afterCommit(() => ran.push('failed'));
      throw mine;
    });
    await expect(failing).rejects.toBe(mine);
    expect(await db.rows('select n from t')).toEqual([]);
    let tries = 0;
    await db.transaction(async (tx) => {
      tx.afterCommit(() => ran.push(`try ${tries}`));
      await tx.run('insert into t values (2)');
      if (++tries === 1) await tx.run(`do $$ begin raise exception using errcode = '40001', message = 'made up'; end $$`);
      expect(ran).toEqual([]);
    });
    expect(ran).toEqual(['try 2']);
    expect(await db.rows('select n from t')).toEqual([{ n: 2 }]);
  });

  test('issue2.3 what is announced for before the commit runs in its order inside of the transaction, once more with a retry, and never after a throw', async () => {
    const db = await open();
    await db.run('create table t (n serial, text text)');
    let tries = 0;
    await db.transaction(async (tx) => {
      tx.beforeCommit(async () => {
        await tx.run(`insert into t (text) values ('first')`);
        tx.beforeCommit(() => void tx.run(`insert into t (text) values ('third')`));
      });
      tx.beforeCommit(() => void tx.run(`insert into t (text) values ('second')`));
      if (++tries === 1) await tx.run(`do $$ begin raise exception using errcode = '40001', message = 'made up'; end $$`);
    });
    expect(await db.rows('select text from t order by n')).toEqual([{ text: 'first' }, { text: 'second' }, { text: 'third' }]);
    let hasRun = false;
    const mine = new Error('mine');
    const failing = db.transaction(async (tx) => {
      tx.beforeCommit(() => void (hasRun = true));
      throw mine;
    });
    await expect(failing).rejects.toBe(mine);
    expect(hasRun).toBe(false);
  });

  test('issue2.3 a failure before the commit, awaited or not, takes the transaction with it', async () => {
    const db = await open();
    await db.run('create table t (n int primary key)');
    const twice = async (tx: Tx) => {
      await tx.run('insert into t values (1)');
      return () => tx.run('insert into t values (1)');
    };
    const awaited = db.transaction(async (tx) =>
      tx.beforeCommit(
        (
          (insert) => async () =>
            void (await insert())
        )(await twice(tx)),
      ),
    );
    await expect(awaited).rejects.toSatisfy((e) => isUniqueViolation(e));
    const sent = db.transaction(async (tx) =>
      tx.beforeCommit(
        (
          (insert) => () =>
            void insert().catch(() => {})
        )(await twice(tx)),
      ),
    );
    await expect(sent).rejects.toSatisfy((e) => isUniqueViolation(e));
    expect(await db.rows('select n from t')).toEqual([]);
  });

  test('issue2.3 a failed statement that the caller swallows does not pass for a commit', async () => {
    const db = await open();
    await db.run('create table t (n int primary key)');
    const swallowed = db.transaction(async (tx) => {
      await tx.run('insert into t values (1)');
      await tx.run('insert into t values (1)').catch(() => {});
      return 'done';
    });
    await expect(swallowed).rejects.toSatisfy((e) => isUniqueViolation(e));
    expect(await db.rows('select n from t')).toEqual([]);
  });

  test('issue2.3 what cannot even be sent takes the transaction with it, though nobody waits for it', async () => {
    const db = await open();
    await db.run('create table t (n int)');
    const endless: { self?: unknown } = {};
    endless.self = endless;
    const sends: ((tx: Tx) => Promise<unknown>)[] = [
      (tx) => tx.run('insert into t values ($1)', [endless]),
      (tx) => tx.publish({ topic: 'test', key: 'k', payload: endless }),
    ];
    for (const send of sends) {
      const lost = db.transaction(async (tx) => {
        await tx.run('insert into t values (1)');
        tx.beforeCommit(() => unawaited(send(tx)));
      });
      await expect(lost).rejects.toBeInstanceOf(TypeError);
    }
    expect(await db.rows('select n from t')).toEqual([]);
  });

  test('issue2.3 where BEGIN fails, nothing that waits for the first statement is done', async () => {
    const db = await open();
    await db.run('create table t (n int)');
    const noSuch = 'no such isolation' as Isolation;
    const unbegun = db.transaction(
      async (tx) => {
        await tx.rows('select 1');
        await tx.run('insert into t values (1)');
      },
      { isolation: noSuch },
    );
    await expect(unbegun).rejects.toMatchObject({ code: '42601' });
    expect(await db.rows('select n from t')).toEqual([]);
    await db.transaction((tx) => tx.run('insert into t values (2)'));
    expect(await db.rows('select n from t')).toEqual([{ n: 2 }]);
  });

  test('issue2.3 where BEGIN fails, whatever comes after it fails of that', async () => {
    const db = await open();
    const afters: ((tx: Tx) => Promise<unknown> | void)[] = [
      (tx) => tx.run('select 1'),
      (tx) => tx.publish({ topic: 'test', key: 'k', payload: 1 }),
      (tx) => tx.beforeCommit(() => {}),
    ];
    for (const after of afters) {
      const work = async (tx: Tx) => {
        await tx.rows('select 1').catch(() => {});
        await after(tx);
      };
      await expect(db.transaction(work, { isolation: 'no such isolation' as Isolation })).rejects.toMatchObject({ code: '42601' });
    }
  });

  test('issue2.3 statements that do not wait for each other keep their order, and one that fails fails the transaction', async () => {
    const db = await open();
    await db.run('create table t (id serial, n int)');
    await db.transaction(async (tx) => {
      await Promise.all(Array.from({ length: 50 }, (_, n) => tx.run('insert into t (n) values ($1)', [n])));
    });
    const rows = await db.rows<{ n: number }>('select n from t order by id');
    expect(rows.map((row) => row.n)).toEqual(Array.from({ length: 50 }, (_, n) => n));
    const failing = db.transaction(async (tx) => {
      await Promise.all([
        tx.run('insert into t (n) values (1)'),
        tx.run('insert into t (n) values (1 / $1::int)', [0]),
        tx.run('insert into t (n) values (2)'),
      ]);
    });
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    expect(await db.one('select count(*) as n from t')).toEqual({ n: 50 });
    expect(db.stats()).toEqual({ total: 1, idle: 1, waiting: 0 });
  });

  test('issue2.3 a transaction that is kept after its end refuses statements', async () => {
    const db = await open();
    const kept = await db.transaction(async (tx) => tx);
    await expect(kept.run('select 1')).rejects.toThrow('over');
  });

  test('compute§13 a connection lost during COMMIT has an unknown outcome and is not run again', async () => {
    const db = await open();
    await db.run('create table t (n int)');
    await using proxy = await cuttingProxy(db.connectionString, 'commit\0');
    const other = await openDatabase({ url: proxy.url });
    try {
      proxy.arm();
      let runs = 0;
      const lost = other.transaction(async (tx) => {
        runs++;
        await tx.run('insert into t values (1)');
      });
      await expect(lost).rejects.toMatchObject({ name: 'StoreUnavailable', outcomeUnknown: true });
      expect(runs).toBe(1);
      // it did happen: running it again would have doubled it
      await expect.poll(() => db.rows('select n from t')).toEqual([{ n: 1 }]);
      expect(await other.one('select count(*) as n from t')).toEqual({ n: 1 });
    } finally {
      await other.close();
    }
  });

  test('compute§13 a connection lost before COMMIT has a known outcome', async () => {
    const db = await open();
    await db.run('create table t (n int)');
    const lost = db.transaction(async (tx) => {
      await tx.run('insert into t values (1)');
      await tx.run('select pg_terminate_backend(pg_backend_pid())');
    });
    await expect(lost).rejects.toMatchObject({ name: 'StoreUnavailable', outcomeUnknown: false });
    expect(await db.rows('select n from t')).toEqual([]);
  });
});
