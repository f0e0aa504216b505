import { mkdtempSync, readdirSync, realpathSync, rmSync, statSync, utimesSync, watch, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '@kit/operation';
import { createLog } from '../host/log.ts';
import type { HostIam } from './answer.ts';
import { askServe } from './ask.ts';
import { lineOf, readLine } from './line.ts';
import { type HostSocket, offerHostSocket } from './offer.ts';

const LIFE_MS = 5 * 60_000;
const WHO = { organization: 'platform', email: 'a@b.test', reason: 'lost' };

let dataDir: string;
let folder: string;
let offered: HostSocket;
/** What was asked to happen later, as long as nobody has stopped it. */
let timers: Set<{ ms: number; fn: () => void }>;
const breakGlass = vi.fn<HostIam['breakGlass']>();
const bootstrap = vi.fn<HostIam['bootstrap']>();

const names = (): string[] => readdirSync(folder).filter((name) => !name.endsWith('.serve'));
const offer = (now = Date.now): HostSocket =>
  offerHostSocket({
    dataDir,
    iam: { bootstrap, breakGlass },
    log: createLog({ level: 'silent', format: 'json' }),
    now,
    after(ms, fn) {
      const timer = { ms, fn };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  });
beforeEach(() => {
  dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'better-compute-host-')));
  folder = join(dataDir, 'host');
  timers = new Set();
  breakGlass.mockReset().mockResolvedValue({ codeId: 'rst_1', code: 'AAAA', expiresAt: 1 });
  bootstrap.mockReset();
  offered = offer();
});
afterEach(async () => {
  await offered.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Resolves with the names in the folder once they are as wished. */
function folderHas(isRight: (all: string[]) => boolean): Promise<string[]> {
  return new Promise((resolve) => {
    const look = (): void => {
      const found = names();
      if (!isRight(found)) return;
      watcher.close();
      resolve(found);
    };
    const watcher = watch(folder, look);
    look();
  });
}
const askFor = (id: string): string => {
  writeFileSync(join(folder, `${id}.ask`), '', { flag: 'wx' });
  return join(folder, `${id}.sock`);
};
async function socketFor(id: string): Promise<string> {
  const path = askFor(id);
  await folderHas((all) => all.includes(`${id}.sock`));
  return path;
}
const open = (path: string): Promise<Socket> =>
  new Promise(
    (resolve, reject) =>
      void connect(path)
        .once('error', reject)
        .once('connect', function connected(this: Socket) {
          resolve(this);
        }),
  );
const say = (socket: Socket, value: unknown): Promise<unknown> => {
  const answer = readLine(socket);
  socket.write(typeof value === 'string' ? value : lineOf(value as object));
  return answer;
};
const [A, B] = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb'];

describe('the socket of one use', () => {
  test('iam§5 has mode 600 in a folder of mode 700, and is gone when somebody has come', async () => {
    const path = await socketFor(A);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(names()).toEqual([`${A}.sock`]);
    const socket = await open(path);
    await folderHas((all) => all.length === 0);
    await expect(open(path)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await say(socket, { command: 'breakGlass', input: WHO })).toEqual({ value: { codeId: 'rst_1', code: 'AAAA', expiresAt: 1 } });
    expect(await say(socket, { command: 'breakGlass', input: WHO }), 'one question').toBeUndefined();
    expect(breakGlass).toHaveBeenCalledTimes(1);
  });

  test('iam§5 nobody comes for 5 minutes, or comes and says nothing: it ends', async () => {
    const path = await socketFor(A);
    const [silent] = timers;
    expect([timers.size, silent!.ms]).toEqual([1, LIFE_MS]);
    silent!.fn();
    expect(names()).toEqual([]);
    await expect(open(path)).rejects.toMatchObject({ code: 'ENOENT' });
    const socket = await open(await socketFor(B));
    const answer = readLine(socket);
    for (const { fn } of timers) fn();
    expect(await answer).toBeUndefined();
    expect(breakGlass).not.toHaveBeenCalled();
  });

  test('iam§3.5 the account that is recorded is this one, whatever the other side says', async () => {
    const socket = await open(await socketFor(A));
    await say(socket, { command: 'breakGlass', input: { ...WHO, hostAccount: 'somebody' } });
    expect(breakGlass).toHaveBeenCalledWith({ ...WHO, hostAccount: userInfo().username });
  });

  test('iam§5 a refusal keeps its code; a fault says nothing of itself', async () => {
    bootstrap.mockRejectedValueOnce(new ApiError('CONFLICT', 409, 'once'));
    expect(await say(await open(await socketFor(A)), { command: 'bootstrap', input: {} })).toEqual({
      error: { code: 'CONFLICT', message: 'once', status: 409 },
    });
    bootstrap.mockRejectedValueOnce(new Error('password=hunter2'));
    const answer = await say(await open(await socketFor(B)), { command: 'bootstrap', input: {} });
    expect(answer).toMatchObject({ error: { code: 'INTERNAL_ERROR', status: 500 } });
    expect(JSON.stringify(answer)).not.toContain('hunter2');
  });

  test.each([
    ['no JSON', 'bootstrap\n'],
    ['a member twice', '{"command":"bootstrap","command":"breakGlass","input":{}}\n'],
    ['another member of IAM', lineOf({ command: 'close', input: {} })],
    ['a member of every object', lineOf({ command: 'constructor', input: {} })],
    ['no input', lineOf({ command: 'bootstrap' })],
    ['more than a line holds', `${' '.repeat(70_000)}\n`],
  ])('iam§5 %s is answered by the end of the connection', async (_what, line) => {
    const socket = await open(await socketFor(A));
    socket.on('error', () => {});
    expect(await say(socket, line)).toBeUndefined();
    expect(bootstrap).not.toHaveBeenCalled();
    expect(breakGlass).not.toHaveBeenCalled();
  });
});

describe('the folder', () => {
  test('iam§5 at most four are open; the next is made when one has ended', async () => {
    const ids = Array.from({ length: 5 }, (_, i) => `${i}`.repeat(12));
    for (const id of ids.slice(0, 4)) await socketFor(id);
    askFor(ids[4]!);
    await folderHas((all) => all.includes(`${ids[4]}.ask`));
    [...timers][0]!.fn();
    const found = await folderHas((all) => all.includes(`${ids[4]}.sock`));
    expect(found.sort()).toEqual(ids.slice(1).map((id) => `${id}.sock`));
  });

  test('iam§5 what a killed process left is swept at the start, what is younger is not, and nothing of other names', async () => {
    await offered.close();
    for (const name of [`${A}.sock`, `${A}.new`, `${B}.ask`, 'notes.txt']) writeFileSync(join(folder, name), '');
    offered = offer(() => statSync(folder).mtimeMs - 60_000);
    await folderHas((all) => all.includes(`${B}.sock`));
    expect(names().sort()).toEqual([`${A}.new`, `${A}.sock`, `${B}.sock`, 'notes.txt']);
    await offered.close();
    const long = (Date.now() - LIFE_MS - 1_000) / 1000;
    for (const name of [`${A}.sock`, `${A}.new`, 'notes.txt']) utimesSync(join(folder, name), long, long);
    offered = offer();
    expect(names()).toEqual(['notes.txt']);
  });

  test('iam§5 a server is known by a mark of its process: one that has stopped or died is not waited for', async () => {
    const mark = `${process.pid}.serve`;
    expect(readdirSync(folder)).toEqual([mark]);
    await offered.close();
    expect(readdirSync(folder)).toEqual([]);
    expect(await askServe(dataDir)).toEqual({ none: `no serve runs with the data folder ${dataDir}` });
    // no process has this number
    writeFileSync(join(folder, '4194305.serve'), '');
    expect(await askServe(dataDir)).toMatchObject({ none: expect.stringContaining('no serve runs') });
    offered = offer();
    expect(readdirSync(folder)).toEqual([mark]);
    const asked = await askServe(dataDir);
    if ('none' in asked) throw new Error(asked.none);
    expect(await asked.breakGlass({ ...WHO, hostAccount: 'x' })).toMatchObject({ codeId: 'rst_1' });
  });

  test('iam§5 stopping ends what nobody has asked yet, and waits for the answer to what somebody has', async () => {
    const working = Promise.withResolvers<{ codeId: string; code: string; expiresAt: number }>();
    breakGlass.mockReturnValueOnce(working.promise);
    const asked = say(await open(await socketFor(A)), { command: 'breakGlass', input: WHO });
    await vi.waitUntil(() => breakGlass.mock.calls.length === 1, { timeout: 20_000 });
    const unused = await socketFor(B);
    const closed = offered.close();
    await expect(open(unused)).rejects.toMatchObject({ code: 'ENOENT' });
    working.resolve({ codeId: 'rst_2', code: 'BBBB', expiresAt: 2 });
    expect(await asked).toMatchObject({ value: { codeId: 'rst_2' } });
    await closed;
    expect([readdirSync(folder), timers.size]).toEqual([[], 0]);
  });
});
