import { userInfo } from 'node:os';
import type { Socket } from 'node:net';
import { errorBody, refusalOf } from '@kit/operation';
import type { Iam } from '../host/services.ts';
import type { Log } from '../host/log.ts';
import { lineOf, readLine } from './line.ts';

/** What of IAM works on the host and in no other way. */
export type HostIam = Pick<Iam, 'bootstrap' | 'breakGlass'>;
export type HostCommand = keyof HostIam;

const run: { readonly [C in HostCommand]: (iam: HostIam, input: object) => Promise<unknown> } = {
  bootstrap: (iam, input) => iam.bootstrap(input as Parameters<HostIam['bootstrap']>[0]),
  // the other side is this account, whatever it says it is
  breakGlass: (iam, input) => iam.breakGlass({ ...(input as Parameters<HostIam['breakGlass']>[0]), hostAccount: userInfo().username }),
};

interface Asked {
  command: HostCommand;
  input: object;
}

function askedOf(said: unknown): Asked | undefined {
  const { command, input } = (said ?? {}) as Partial<Asked>;
  const isKnown = typeof command === 'string' && Object.hasOwn(run, command) && typeof input === 'object' && input !== null;
  return isKnown ? { command, input } : undefined;
}

/** One question, one answer. What cannot be read is answered by the end of the connection. */
export async function answerOn(socket: Socket, { iam, log }: { iam: HostIam; log: Log }, working: () => void): Promise<void> {
  const asked = askedOf(await readLine(socket));
  if (!asked) return;
  working();
  const { command, input } = asked;
  try {
    const value = await run[command](iam, input);
    log.info({ command, outcome: 'ok' }, 'asked on the host');
    socket.write(lineOf({ value: value as object }));
  } catch (error) {
    const { status, body } = errorBody(error);
    if (refusalOf(error)) log.info({ command, outcome: body.error.code }, 'asked on the host');
    else log.error({ command, error: error instanceof Error ? error.stack : String(error) }, 'fault');
    socket.write(lineOf({ error: { ...body.error, status } }));
  }
}
