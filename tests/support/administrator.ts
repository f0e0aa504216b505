import { createIamClient } from '@better-iam/client';
import { fromBase32, totpCode, totpStep } from '@better-iam/core';

/** Signs a root administrator in for the first time, who has to enrol a second factor before there is a session (iam.md §3.4). */
export async function enrolAdministrator(baseURL: string, who: { organization: string; email: string; password: string }): Promise<string> {
  const iam = createIamClient({ baseURL });
  const { challenge, enrollmentRequired } = await iam.auth.signIn(who);
  if (challenge === undefined || enrollmentRequired !== true) throw new Error('the administrator has enrolled a factor before');
  const { secret } = await iam.auth.beginMfa({ challenge });
  return (await iam.auth.confirmMfa({ challenge, code: totpCode(fromBase32(secret)!, totpStep(Date.now())) })).token;
}
