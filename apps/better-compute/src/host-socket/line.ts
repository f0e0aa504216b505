import type { Socket } from 'node:net';
import { readJson } from '@kit/operation';

const LINE_MAX = 65_536;
const NEWLINE = 0x0a;

/** What the other side says, one line of JSON; undefined where it ends before that, says too much, or says no JSON. */
export function readLine(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const done = (value: unknown): void => {
      socket.off('data', onData);
      resolve(value);
    };
    const onData = (chunk: Buffer): void => {
      const end = chunk.indexOf(NEWLINE);
      chunks.push(end === -1 ? chunk : chunk.subarray(0, end));
      size += chunk.length;
      if (size > LINE_MAX) done(undefined);
      else if (end !== -1) done(parsed(Buffer.concat(chunks)));
    };
    socket.on('data', onData);
    socket.once('end', () => done(undefined));
    socket.once('close', () => done(undefined));
    if (socket.destroyed) done(undefined);
  });
}

function parsed(line: Buffer): unknown {
  try {
    return readJson(line);
  } catch {
    return undefined;
  }
}

export const lineOf = (value: object): string => `${JSON.stringify(value)}\n`;
