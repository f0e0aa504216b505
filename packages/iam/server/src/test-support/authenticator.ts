import { fromBase32, totpCode, totpStep } from '@better-iam/core';
import type { Entrance, Session } from '@better-iam/contract';
import type { BetterIam } from '../better-iam.ts';

export interface SignedIn {
  token: string;
  session: Session;
}

/** Where a test knows that no second factor is asked for. */
export function session(entrance: Entrance): SignedIn {
  const { token, session: opened } = entrance;
  if (token === undefined || !opened) throw new Error(`no session yet: ${JSON.stringify(entrance)}`);
  return { token, session: opened };
}

/** The app on the phones of a test's people. */
export interface Authenticator {
  /** Signs in, enrolling a factor where one is asked for first, or giving a code of the one there is. */
  signIn(input: { organization?: string; tenantId?: string; email: string; password: string }): Promise<SignedIn>;
  /** Takes on a secret somebody was shown. */
  keep(email: string, secret: string): void;
  /** A code that has not been given before; `INVALID_MFA` for the fourth at one time, as each step is good once. */
  code(email: string): string;
}

export function createAuthenticator(iam: BetterIam, now: () => number): Authenticator {
  const factors = new Map<string, { secret: Uint8Array; last: number }>();
  const authenticator: Authenticator = {
    keep: (email, secret) => void factors.set(email, { secret: fromBase32(secret)!, last: 0 }),
    code(email) {
      const factor = factors.get(email)!;
      factor.last = Math.max(factor.last + 1, totpStep(now()) - 1);
      return totpCode(factor.secret, factor.last);
    },
    async signIn(input) {
      const answer = await iam.api.auth.signIn(input);
      const { challenge } = answer;
      if (challenge === undefined) return session(answer);
      if (answer.enrollmentRequired) {
        authenticator.keep(input.email, (await iam.api.auth.beginMfa({}, { challenge })).secret);
        return await iam.api.auth.confirmMfa({}, { challenge, code: authenticator.code(input.email) });
      }
      return await iam.api.auth.verifyMfa({ challenge, code: authenticator.code(input.email) });
    },
  };
  return authenticator;
}
