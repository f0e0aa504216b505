#!/usr/bin/env node
// A process that opens the embedded database of a folder and stays: to be killed in the tests.
import { readPidFile } from '../embedded/pid-file.ts';
import { openEmbedded } from '../index.ts';

const dataDir = process.argv[2] ?? '';
const db = await openEmbedded({ dataDir });
await db.run('create table if not exists kept (n int)');
for (let n = 0; n < 100; n++) await db.run('insert into kept values ($1)', [n]);
process.stdout.write(`${JSON.stringify({ adopted: db.adopted, recovered: db.recovered, serverPid: readPidFile(dataDir)?.pid })}\n`);
process.on('SIGTERM', () => {
  void db.close().then(() => process.exit(0));
});
