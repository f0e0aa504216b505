import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { MigrationChanged, openDatabase, SchemaTooNew } from '../index.ts';
import { onEachEngine } from '../testing/on-each-engine.ts';

const folders: string[] = [];
afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })));
});

/** A set of migrations for the schema `demo`, from file names to texts. */
async function demo(files: Record<string, string>): Promise<{ schema: string; directory: URL }> {
  const folder = await mkdtemp(join(tmpdir(), 'bc-migrations-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return { schema: 'demo', directory: pathToFileURL(folder) };
}

const one = { '0001-things.sql': 'create table things (id int primary key); insert into things values (1);' };
const two = { ...one, '0002-names.sql': `alter table demo.things add column name text not null default 'none';` };

onEachEngine('migrations', (open) => {
  test('issue2.3 they run in order, once, and a later set goes on where the earlier ended', async () => {
    const db = await open();
    await db.migrate(await demo(one));
    await db.migrate(await demo(one));
    expect(await db.rows('select * from demo.things')).toEqual([{ id: 1 }]);
    await db.migrate(await demo(two));
    await db.migrate(await demo(two));
    expect(await db.rows('select * from demo.things')).toEqual([{ id: 1, name: 'none' }]);
    expect(await db.rows(`select number, name from store.migrations where schema = 'demo' order by number`)).toEqual([
      { number: 1, name: '0001-things.sql' },
      { number: 2, name: '0002-names.sql' },
    ]);
    expect(await db.one('show search_path')).toEqual({ search_path: '"$user", public' });
  });

  test('issue2.3 a database that is newer than the code is refused and left as it is', async () => {
    const db = await open();
    await db.migrate(await demo(two));
    await expect(db.migrate(await demo(one))).rejects.toThrow(SchemaTooNew);
    expect(await db.rows('select * from demo.things')).toEqual([{ id: 1, name: 'none' }]);
  });

  test('issue2.3 an applied migration that was edited or renamed is refused, also when there is a new one to apply', async () => {
    const db = await open();
    await db.migrate(await demo(one));
    const edited = { '0001-things.sql': `${one['0001-things.sql']} ` };
    const renamed = { '0001-other.sql': one['0001-things.sql'] };
    for (const files of [edited, renamed, { ...two, ...edited }]) await expect(db.migrate(await demo(files))).rejects.toThrow(MigrationChanged);
    expect(await db.rows('select * from demo.things')).toEqual([{ id: 1 }]);
  });

  test('issue2.3 a failing migration takes back the whole set, and the repaired set runs', async () => {
    const db = await open();
    const broken = { ...one, '0002-names.sql': 'create table names (id int); select 1 / 0;' };
    await expect(db.migrate(await demo(broken))).rejects.toMatchObject({ code: '22012' });
    expect(await db.one(`select to_regclass('demo.things') as things, to_regclass('demo.names') as names`)).toEqual({ things: null, names: null });
    expect(await db.rows(`select 1 from store.migrations where schema = 'demo'`)).toEqual([]);
    await db.migrate(await demo(two));
    expect(await db.rows('select * from demo.things')).toEqual([{ id: 1, name: 'none' }]);
  });

  test('issue2.3 concurrent starters apply a set once', async () => {
    const db = await open();
    const starters = await Promise.all(Array.from({ length: 4 }, () => openDatabase({ url: db.connectionString })));
    try {
      const set = await demo({ ...one, '0002-slow.sql': 'select pg_sleep(0.2); create table slow ();' });
      await Promise.all(starters.map((starter) => starter.migrate(set)));
      expect(await db.rows('select * from demo.things')).toEqual([{ id: 1 }]);
      expect(await db.one(`select count(*) as n from store.migrations where schema = 'demo'`)).toEqual({ n: 2 });
    } finally {
      await Promise.all(starters.map((starter) => starter.close()));
    }
  });

  test('issue2.3 a gap, a number used twice, a stray file and a strange schema are refused before anything runs', async () => {
    const db = await open();
    const sets: Record<string, string>[] = [
      { ...one, '0003-gap.sql': 'select 1' },
      { ...one, '0001-twice.sql': 'select 1' },
      { ...one, 'notes.txt': '' },
    ];
    for (const files of sets) await expect(db.migrate(await demo(files))).rejects.toThrow('is expected here');
    await expect(db.migrate({ ...(await demo(one)), schema: 'x; drop schema store' })).rejects.toThrow(TypeError);
    expect(await db.one(`select to_regclass('demo.things') as things`)).toEqual({ things: null });
  });
});
