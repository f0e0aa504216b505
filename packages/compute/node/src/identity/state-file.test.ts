import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StateFile } from './state-file.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'state-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

test('compute§4.1 a state is read back as it was saved, whatever the order of the writes', async () => {
  const made = await StateFile.create(dir, 'a');
  made.state.nodeId = 'node_1';
  const saves = [1, 2, 3].map((incarnation) => {
    made.state.incarnation = incarnation;
    return made.save();
  });
  await Promise.all(saves);
  expect((await StateFile.open(dir, 'a'))!.state).toEqual(made.state);
  expect(made.state).toMatchObject({ nodeId: 'node_1', incarnation: 3 });
  expect(readdirSync(dir)).toEqual(['a.json']);
  expect(await StateFile.open(dir, 'b')).toBeUndefined();
});

test('compute§4.1 a state that others can read is not used', async () => {
  await StateFile.create(dir, 'a');
  chmodSync(join(dir, 'a.json'), 0o640);
  await expect(StateFile.open(dir, 'a')).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
});

test('compute§4.1 a file that is no state is refused and kept', async () => {
  for (const text of ['', '{', 'null', '[]', '{"version":2}', '{"version":1,"publicKey":"a","privateKey":"b","incarnation":1.5,"results":[],"nodeId":null}']) {
    writeFileSync(join(dir, 'a.json'), text, { mode: 0o600 });
    await expect(StateFile.open(dir, 'a')).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
    expect(readFileSync(join(dir, 'a.json'), 'utf8')).toBe(text);
  }
});

test('compute§4.1 a name leads nowhere but into the folder', async () => {
  for (const name of ['../a', 'a/b', '', '.', '..', '.hidden', 'x'.repeat(64)])
    await expect(StateFile.open(dir, name)).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
});
