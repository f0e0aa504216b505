import type { FullApi } from '@better-iam/client';
import type { Entrance } from '@better-iam/contract';
import { ApiError, refusalOf } from '@kit/operation';
import type { Ask } from './ask.ts';
import { bad, faint, strong, type Terminal } from './terminal.ts';

const TRIES = 3;

/** From the answer of a sign-in to its token: gives the second factor where one is due, or enrols it where the account must have one (iam.md §3.4). */
export async function completeSignIn(terminal: Terminal, iam: FullApi, entrance: Entrance, ask: Ask): Promise<string> {
  const { token, challenge, enrollmentRequired } = entrance;
  if (token !== undefined) return token;
  if (challenge === undefined) throw new ApiError('INVALID_RESPONSE', 502, 'the server answered a sign-in in an unknown form');
  if (enrollmentRequired !== true) {
    const opened = await retried(
      terminal,
      async () => await iam.auth.verifyMfa({ challenge, code: await ask('Code of your authenticator, or a recovery code') }),
    );
    return opened.token;
  }
  terminal.err('This account needs a second factor.');
  return await enrolFactor(terminal, iam, challenge, ask);
}

/** Shows a secret, takes a code of it, shows the recovery codes; by the challenge of a sign-in, or with one's own recent session. Answers its token. */
export async function enrolFactor(terminal: Terminal, iam: FullApi, challenge: string | undefined, ask: Ask): Promise<string> {
  const by = challenge === undefined ? {} : { challenge };
  const { secret, uri } = await iam.auth.beginMfa(by);
  terminal.err(`Add it to an authenticator app:\n  secret  ${strong(secret)}\n  or      ${uri}`);
  const confirmed = await retried(terminal, async () => await iam.auth.confirmMfa({ ...by, code: await ask('The code it shows') }));
  terminal.err('Recovery codes, each good once in place of the app. They are not shown again: keep them somewhere else than it.');
  for (const code of confirmed.recoveryCodes) terminal.err(`  ${strong(code)}`);
  return confirmed.token;
}

/** A wrong code is no reason to start over: the challenge is still good. */
async function retried<T>(terminal: Terminal, work: () => Promise<T>): Promise<T> {
  for (let left = TRIES; ; left--) {
    try {
      return await work();
    } catch (error) {
      if (refusalOf(error)?.code !== 'INVALID_MFA' || left === 1) throw error;
      terminal.err(`${bad('that code is wrong')} ${faint('each works once; wait for the next')}`);
    }
  }
}
