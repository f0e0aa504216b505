import { afterAll, describe, expect, test } from 'vitest';
import { startServer } from './embedded/start.ts';
import { stopServer } from './embedded/stop.ts';
import { StoreUnavailable } from './index.ts';
import { openStore } from './open-store.ts';
import { dataFolders } from './testing/data-folders.ts';
import { debianBinaries } from './testing/debian.ts';

const engines = [
  { engine: 'embedded' as const, binaries: undefined, isThere: true },
  { engine: 'external' as const, binaries: debianBinaries(), isThere: debianBinaries() !== undefined },
];

for (const { engine, binaries, isThere } of engines) {
  describe.skipIf(!isThere)(`outage, ${engine}`, () => {
    const folders = dataFolders(binaries);
    afterAll(folders.clear);

    test('compute§13 a database that goes away and comes back: quick refusals, then everything works again without a restart', async () => {
      const dataDir = await folders.made();
      const server = await startServer({ dataDir, binaries });
      const db = await openStore({ address: { socketDir: server.socketDir, port: server.port, user: server.user, database: 'postgres' }, engine });
      try {
        await db.run('create table t (n int)');
        const seen: string[] = [];
        db.subscribe((e) => seen.push(e.key));
        const publish = (key: string) => db.transaction((tx) => tx.publish({ topic: 'test', key, payload: {} }));
        await publish('before');
        await expect.poll(() => seen).toEqual(['before']);
        // one transaction is caught in its middle, with connections in use beside it
        const caught = db.transaction(async (tx) => {
          await tx.run('insert into t values (1)');
          await stopServer(server.dataDir);
          await tx.run('insert into t values (2)');
        });
        await expect(caught).rejects.toBeInstanceOf(StoreUnavailable);
        const started = performance.now();
        const refused = await Promise.allSettled(Array.from({ length: 50 }, (_, n) => (n % 2 ? db.one('select 1') : publish('during'))));
        expect(performance.now() - started).toBeLessThan(3_500);
        for (const result of refused) expect(result).toMatchObject({ status: 'rejected', reason: { name: 'StoreUnavailable', retryAfterMs: 1_000 } });
        expect(await db.health()).toBe(false);
        expect(db.stats()).toEqual({ total: 0, idle: 0, waiting: 0 });

        await startServer({ dataDir, binaries });
        await expect.poll(() => db.health(), { timeout: 20_000 }).toBe(true);
        expect(await db.rows('select n from t')).toEqual([]);
        await publish('after');
        await expect.poll(() => seen, { timeout: 20_000 }).toEqual(['before', 'after']);
      } finally {
        await db.close();
      }
    });

    test('compute§13 a connection whose server is killed under it is replaced, and other callers do not notice', async () => {
      const dataDir = await folders.made();
      const server = await startServer({ dataDir, binaries });
      const db = await openStore({ address: { socketDir: server.socketDir, port: server.port, user: server.user, database: 'postgres' }, engine });
      try {
        await Promise.all(Array.from({ length: 20 }, () => db.one('select pg_sleep(0.01)')));
        const idle = db.stats().idle;
        expect(idle).toBeGreaterThan(1);
        await db.transaction((tx) => tx.rows('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename is not null'));
        await expect.poll(() => db.stats().total).toBe(1);
        expect(await Promise.all(Array.from({ length: 20 }, (_, n) => db.one('select $1::int as n', [n])))).toHaveLength(20);
      } finally {
        await db.close();
      }
    });

    // waits for the limit of 5 s: once is enough
    test.skipIf(engine === 'external')('compute§13 closing during an outage ends', async () => {
      const dataDir = await folders.made();
      const server = await startServer({ dataDir, binaries });
      const db = await openStore({ address: { socketDir: server.socketDir, port: server.port, user: server.user, database: 'postgres' }, engine });
      const kept = new Promise<never>(() => {});
      await new Promise<void>((inside) => {
        // never given back
        void db.transaction(async (tx) => {
          await tx.run('select 1');
          inside();
          await kept;
        });
      });
      await stopServer(server.dataDir);
      await db.close();
      expect(db.stats().waiting).toBe(0);
    });
  });
}
