import type { ConsoleIam } from '../iam.ts';
import { field, SignInForm } from './sign-in-form.tsx';
import { signInFailure } from './sign-in-failure.ts';
import type { Step } from './step.ts';

interface CodeStepProps {
  iam: ConsoleIam;
  challenge: string;
  onStep: (next: Step) => Promise<void>;
}

/** The second factor, or a recovery code in its place (iam.md §3.4). */
export function CodeStep({ iam, challenge, onStep }: CodeStepProps) {
  const submit = async (data: FormData) => {
    await iam.api.auth.verifyMfa({ challenge, code: field(data, 'code') });
    await onStep({ at: 'in' });
  };
  return (
    <SignInForm
      title="Second factor"
      why="the password alone does not open this account"
      focusOn="code"
      submitText="Continue"
      busyText="Checking…"
      failureText={signInFailure}
      onSubmit={submit}
      foot={<StartOver onStep={onStep} />}
    >
      <label htmlFor="code">Code</label>
      <input id="code" name="code" required autoComplete="one-time-code" autoCapitalize="none" spellCheck={false} aria-describedby="code-hint" />
      <p className="hint" id="code-hint">
        The six digits your authenticator shows, or one of your recovery codes
      </p>
    </SignInForm>
  );
}

export const StartOver = ({ onStep }: Pick<CodeStepProps, 'onStep'>) => (
  <button type="button" className="button button-plain" onClick={() => void onStep({ at: 'password' })}>
    Start over
  </button>
);
