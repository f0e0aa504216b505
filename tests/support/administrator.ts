import { createIamClient } from '@better-iam/client';
import { fromBase32, totpCode, totpStep } from '@better-iam/core';

/**
 * Signs a root administrator in who has no second factor, or has lost it and got a code of the host: a factor is enrolled before there is a session
 * (iam.md §3.4, §3.5).
 */
export async function enrolAdministrator(baseURL: string, who: { organization: string; email: string; password: string }, resetCode?: string): Promise<string> {
  const iam = createIamClient({ baseURL });
  const { challenge, enrollmentRequired } = await (resetCode === undefined ? iam.auth.signIn(who) : iam.auth.redeemCode({ ...who, code: resetCode }));
  if (challenge === undefined || enrollmentRequired !== true) throw new Error('the administrator has enrolled a factor before');
  const { secret } = await iam.auth.beginMfa({ challenge });
  return (await iam.auth.confirmMfa({ challenge, code: codeOf(secret) })).token;
}

/** What an authenticator app shows now for a secret it was given. */
export const codeOf = (secret: string): string => totpCode(fromBase32(secret)!, totpStep(Date.now()));
