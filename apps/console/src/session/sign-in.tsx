import { lazy, Suspense, useState } from 'react';
import type { ConsoleIam } from '../iam.ts';
import { PasswordStep } from './password-step.tsx';
import { type Step, stepAfter } from './step.ts';

/** What few sign-ins need is loaded when it is needed. */
const FurtherStep = lazy(() => import('./further-step.tsx'));

interface SignInProps {
  iam: ConsoleIam;
  notice: string | undefined;
  onSignedIn: () => Promise<void>;
}

/** Signs a person in; the token of an answer is left unread, the cookie it came with is the session. */
export function SignIn({ iam, notice, onSignedIn }: SignInProps) {
  const [step, setStep] = useState<Step>({ at: 'password' });
  const go = async (next: Step) => {
    if (next.at === 'in') await onSignedIn();
    else setStep(next);
  };
  if (step.at === 'password')
    return (
      <PasswordStep
        notice={notice}
        onSubmit={async (who) => await go(stepAfter(await iam.api.auth.signIn(who)))}
        onResetCode={() => setStep({ at: 'reset' })}
      />
    );
  return (
    <Suspense fallback={<main className="interlude" aria-busy="true" />}>
      <FurtherStep iam={iam} step={step} onStep={go} />
    </Suspense>
  );
}
