import { useState } from 'react';
import type { ConsoleIam } from '../iam.ts';
import { StartOver } from './code-step.tsx';
import { whoOf, WhoFields } from './password-step.tsx';
import { rememberedWho } from './remembered.ts';
import { field, SignInForm } from './sign-in-form.tsx';
import { resetFailure } from './sign-in-failure.ts';
import { type Step, stepAfter } from './step.ts';

interface ResetStepProps {
  iam: ConsoleIam;
  onStep: (next: Step) => Promise<void>;
}

/** A code that an owner or the host has made sets a new password (iam.md §3.5). */
export function ResetStep({ iam, onStep }: ResetStepProps) {
  const [remembered] = useState(rememberedWho);
  const submit = async (data: FormData) =>
    await onStep(stepAfter(await iam.api.auth.redeemCode({ ...whoOf(data), code: field(data, 'code'), password: field(data, 'password') })));
  return (
    <SignInForm
      title="Set a new password"
      why="with the one-time code an owner of your organization gave you"
      focusOn={remembered ? 'code' : 'organization'}
      submitText="Set the password"
      busyText="Setting it…"
      failureText={resetFailure}
      onSubmit={submit}
      foot={<StartOver onStep={onStep} />}
    >
      <WhoFields remembered={remembered} />
      <label htmlFor="code">One-time code</label>
      <input id="code" name="code" required autoComplete="off" autoCapitalize="characters" spellCheck={false} />
      <label htmlFor="password">New password</label>
      <input
        id="password"
        name="password"
        type="password"
        required
        minLength={12}
        maxLength={256}
        autoComplete="new-password"
        aria-describedby="password-hint"
      />
      <p className="hint" id="password-hint">
        12 characters or more. Your sessions, tokens and delegations of before have ended.
      </p>
    </SignInForm>
  );
}
