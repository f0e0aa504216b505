import { randomBytes } from 'node:crypto';
import { lstatSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type ErrorShape } from '@kit/operation';
import type { HostCommand, HostIam } from './answer.ts';
import { isTakenAway, marksIn, socketFolder } from './folder.ts';
import { lineOf, readLine } from './line.ts';

const STEP_MS = 25;
const TAKEN_WITHIN_MS = 3_000;

export interface AskedServe extends HostIam {
  close(): void;
}

const unavailable = (message: string): ApiError => new ApiError('UNAVAILABLE', 503, message);

/** A running `serve` of this data folder and account, or why there is none. Once one has taken the request it is asked, or nothing is done. */
export async function askServe(dataDir: string): Promise<AskedServe | { none: string }> {
  const folder = socketFolder(dataDir);
  if (!folder) return { none: `no serve has run with the data folder ${dataDir}` };
  if (folder.fault !== undefined) return { none: folder.fault };
  if (!marksIn(folder.path).some((mark) => mark.isAlive)) return { none: `no serve runs with the data folder ${dataDir}` };
  const id = randomBytes(9).toString('base64url');
  const request = join(folder.path, `${id}.ask`);
  const path = join(folder.path, `${id}.sock`);
  writeFileSync(request, '', { flag: 'wx', mode: 0o600 });
  let isTaken = false;
  for (let waitedMs = 0; !isSocket(path); waitedMs += STEP_MS) {
    if (!isTaken && waitedMs >= TAKEN_WITHIN_MS) {
      if (isTakenAway(request)) return { none: `no running serve answers in ${folder.path}` };
      isTaken = true;
    }
    if (waitedMs >= 2 * TAKEN_WITHIN_MS) throw unavailable('the running serve opens no socket: its log says why');
    await sleep(STEP_MS);
  }
  return asking(await connected(path));
}

const isSocket = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSocket() === true;

function connected(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => resolve(socket));
    socket.on('error', () => reject(unavailable('the running serve went away')));
  });
}

function asking(socket: Socket): AskedServe {
  const ask = async <T>(command: HostCommand, input: object): Promise<T> => {
    const answer = readLine(socket);
    socket.write(lineOf({ command, input }));
    const { value, error } = ((await answer) ?? {}) as { value?: T; error?: ErrorShape };
    if (error) throw new ApiError(error.code, error.status, error.message, error.details ? { details: error.details } : {});
    if (value === undefined) throw unavailable('the running serve ended the conversation, within 5 minutes or by stopping: whether it was done is not known');
    return value;
  };
  return {
    bootstrap: (input) => ask('bootstrap', input),
    breakGlass: (input) => ask('breakGlass', input),
    close: () => socket.destroy(),
  };
}
