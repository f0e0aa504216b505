import type { Database } from '@kit/store';

/** What the least honest reservation could be: five statements on rows nobody else wants, one transaction, durable. */
export async function prepareFive(database: Database, callers: number): Promise<void> {
  await database.run('create schema bench');
  await database.run('create table bench.credential (id int primary key, expires_at bigint not null)');
  await database.run('create table bench.reservation (id bigint generated always as identity primary key, owner int not null, request jsonb not null)');
  await database.run('create table bench.claim (id bigint generated always as identity primary key, gpu text not null)');
  await database.run('create table bench.event (id bigint generated always as identity primary key, owner int not null, entry jsonb not null)');
  await database.run('create table bench.counter (id int primary key, used int not null)');
  await database.run('insert into bench.credential (id, expires_at) select i, 1 from generate_series(1, $1::int) i', [callers]);
  await database.run('insert into bench.counter (id, used) select i, 0 from generate_series(1, $1::int) i', [callers]);
}

export const five = (database: Database, caller: number): Promise<void> =>
  database.transaction(async (tx) => {
    await tx.one('select expires_at from bench.credential where id = $1', [caller]);
    await tx.run('insert into bench.reservation (owner, request) values ($1, $2)', [caller, '{"class":"gpu","count":1,"duration":"1h"}']);
    await tx.run('insert into bench.claim (gpu) values ($1)', ['GPU-0000']);
    await tx.run('insert into bench.event (owner, entry) values ($1, $2)', [caller, '{"action":"compute:reservations:create"}']);
    await tx.run('update bench.counter set used = used + 1 where id = $1', [caller]);
  });
