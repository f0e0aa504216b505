import { lazy, Suspense, useEffect, useState } from 'react';
import { ApprovalsPage } from './approvals/approvals-page.tsx';
import { createConsoleIam } from './iam.ts';
import { Notices } from './notices/notices.tsx';
import { SignIn } from './session/sign-in.tsx';
import { useSession } from './session/use-session.ts';
import { devicePath } from './shell/place.ts';

const DevicePage = lazy(() => import('./device/device-page.tsx'));

const RETRY_MS = 3_000;

export function App() {
  const [iam] = useState(createConsoleIam);
  const { session, ask, signOut, ended } = useSession(iam);

  useEffect(() => {
    if (session.state !== 'unreachable') return;
    const retry = setTimeout(() => void ask(), RETRY_MS);
    return () => clearTimeout(retry);
  }, [session, ask]);

  useEffect(() => {
    if (session.state === 'out') document.title = 'Sign in · Better Compute';
  }, [session]);

  switch (session.state) {
    case 'asking':
      return <main className="interlude" aria-busy="true" />;
    case 'unreachable':
      return (
        <main className="interlude">
          <h1>Not connected</h1>
          <p role="alert">{session.text}</p>
        </main>
      );
    case 'out':
      return <SignIn iam={iam} notice={session.notice} onSignedIn={ask} />;
    case 'in':
      return (
        <>
          <Notices iam={iam} me={session.me} />
          {location.pathname === devicePath ? (
            <Suspense fallback={<main className="interlude" aria-busy="true" />}>
              <DevicePage iam={iam} />
            </Suspense>
          ) : (
            <ApprovalsPage key={session.me.sessionId} iam={iam} me={session.me} onSignOut={signOut} onEnded={ended} />
          )}
        </>
      );
  }
}
