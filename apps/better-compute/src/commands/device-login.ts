import { hostname } from 'node:os';
import { createIamClient, type FullApi } from '@better-iam/client';
import { ApiError, refusalOf } from '@kit/operation';
import type { Context } from './context.ts';
import { faint, strong, type Terminal, when } from './terminal.ts';

/** Shows a code, waits until its person has typed it into the console, and answers whose session it became (iam.md §3.6). */
export async function deviceLogin(
  terminal: Terminal,
  url: string,
  organization: string | undefined,
  sleep: (ms: number) => Promise<void>,
): Promise<Omit<Context, 'name'>> {
  const iam = createIamClient({ baseURL: url });
  const asked = await iam.auth.beginDevice({ clientName: `better-compute on ${hostname()}`.slice(0, 128) });
  terminal.err(`Open ${strong(asked.verificationUrl)}, sign in, and type  ${strong(asked.userCode)}`);
  terminal.err(faint(`It gives this terminal everything you can do, confirming for agents included. Good until ${when(asked.expiresAt)}.`));
  const { token, slug } = await decided(iam, asked, sleep);
  const mine = createIamClient({ baseURL: url, token });
  if (organization !== undefined && organization !== slug) {
    await mine.auth.signOut();
    throw new ApiError('INVALID_INPUT', 400, `the code was typed by somebody of ${slug}, not of ${organization}`);
  }
  const { identityId } = await mine.sts.getCallerIdentity();
  const { email } = await mine.identities.get({ identityId });
  return { url, organization: slug, email: email ?? identityId, token };
}

async function decided(
  iam: FullApi,
  asked: { deviceCode: string; intervalSeconds: number },
  sleep: (ms: number) => Promise<void>,
): Promise<{ token: string; slug: string }> {
  for (let waitMs = asked.intervalSeconds * 1000; ; ) {
    await sleep(waitMs);
    try {
      const { token, organization } = await iam.auth.pollDevice({ deviceCode: asked.deviceCode });
      if (token !== undefined && organization !== undefined) return { token, slug: organization };
      waitMs = asked.intervalSeconds * 1000;
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal?.code === 'INVALID_CHALLENGE') throw new ApiError('INVALID_CHALLENGE', 401, 'the code was refused, or nobody typed it in time');
      // the server's clock and ours may differ by a little, and servers restart
      if (refusal?.code !== 'RATE_LIMITED' && refusal?.code !== 'UNAVAILABLE') throw error;
      waitMs = refusal.retryAfterMs ?? asked.intervalSeconds * 1000;
    }
  }
}
