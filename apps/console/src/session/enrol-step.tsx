import { useEffect, useRef, useState } from 'react';
import type { ConsoleIam } from '../iam.ts';
import { StartOver } from './code-step.tsx';
import { field, SignInForm } from './sign-in-form.tsx';
import { signInFailure } from './sign-in-failure.ts';
import type { Step } from './step.ts';

interface EnrolStepProps {
  iam: ConsoleIam;
  challenge: string;
  onStep: (next: Step) => Promise<void>;
}

/** An account that must have a second factor and has none: the secret as text, a code of it, then the recovery codes (iam.md §3.4, §3.5). */
export function EnrolStep({ iam, challenge, onStep }: EnrolStepProps) {
  const [factor, setFactor] = useState<{ secret: string; uri: string }>();
  const [failure, setFailure] = useState<string>();
  const [recoveryCodes, setRecoveryCodes] = useState<string[]>();
  // each secret that is made voids the one before it
  const hasBegun = useRef(false);

  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    iam.api.auth.beginMfa({ challenge }).then(setFactor, (error: unknown) => setFailure(signInFailure(error)));
  }, [iam, challenge]);

  if (recoveryCodes) return <RecoveryCodes codes={recoveryCodes} onKept={() => onStep({ at: 'in' })} />;
  const submit = async (data: FormData) => setRecoveryCodes((await iam.api.auth.confirmMfa({ challenge, code: field(data, 'code') })).recoveryCodes);
  return (
    <SignInForm
      title="Add a second factor"
      why="this account cannot be used without one"
      notice={failure}
      focusOn="code"
      submitText="Confirm"
      busyText="Checking…"
      failureText={signInFailure}
      onSubmit={submit}
      foot={<StartOver onStep={onStep} />}
    >
      <p>Add this secret to an authenticator app on your phone, as text or by its address:</p>
      <p className="secret" data-secret="">
        {factor?.secret ?? '…'}
      </p>
      <p className="secret secret-long">{factor?.uri ?? '…'}</p>
      <label htmlFor="code">The code it shows</label>
      <input id="code" name="code" required inputMode="numeric" autoComplete="one-time-code" />
    </SignInForm>
  );
}

function RecoveryCodes({ codes, onKept }: { codes: string[]; onKept: () => Promise<void> }) {
  return (
    <SignInForm
      title="Recovery codes"
      why="each stands in for the app once; they are not shown again"
      focusOn="kept"
      submitText="Go on"
      busyText="One moment…"
      failureText={signInFailure}
      onSubmit={onKept}
    >
      <ul className="secret">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <label className="tick">
        <input type="checkbox" name="kept" required /> I have kept them somewhere else than the app
      </label>
    </SignInForm>
  );
}
