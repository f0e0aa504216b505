import type { CallerIdentity } from '@better-iam/client';
import { useCallback, useEffect, useState } from 'react';
import { codeOf, troubleText } from '../approvals/failure.ts';
import type { ConsoleIam } from '../iam.ts';

type Session = { state: 'asking' } | { state: 'unreachable'; text: string } | { state: 'out'; notice?: string } | { state: 'in'; me: CallerIdentity };

export interface SessionControl {
  session: Session;
  /** Asks the server who the cookie belongs to. */
  ask(): Promise<void>;
  signOut(): Promise<void>;
  /** The server no longer takes the cookie. */
  ended(): void;
}

/** Who is signed in, as the server says: the page itself knows of no token. */
export function useSession(iam: ConsoleIam): SessionControl {
  const [session, setSession] = useState<Session>({ state: 'asking' });

  const ask = useCallback(async () => {
    try {
      setSession({ state: 'in', me: await iam.api.sts.getCallerIdentity() });
    } catch (error) {
      setSession(codeOf(error) === 'UNAUTHENTICATED' ? { state: 'out' } : { state: 'unreachable', text: troubleText(error) });
    }
  }, [iam]);

  useEffect(() => void ask(), [ask]);

  const signOut = useCallback(async () => {
    try {
      await iam.api.auth.signOut();
    } catch (error) {
      // one that is already over is what was wanted
      if (codeOf(error) !== 'UNAUTHENTICATED') throw error;
    }
    setSession({ state: 'out', notice: 'You have signed out.' });
  }, [iam]);

  const ended = useCallback(() => setSession({ state: 'out', notice: 'Your session has ended. Sign in to go on where you were.' }), []);
  return { session, ask, signOut, ended };
}
