import { useState } from 'react';
import { forgetWho, rememberedWho, rememberWho, type Who } from './remembered.ts';
import { field, SignInForm } from './sign-in-form.tsx';
import { signInFailure } from './sign-in-failure.ts';

interface PasswordStepProps {
  notice: string | undefined;
  onSubmit: (who: Who & { password: string }) => Promise<void>;
  onResetCode: () => void;
}

export const whoOf = (data: FormData): Who => ({ organization: field(data, 'organization').trim().toLowerCase(), email: field(data, 'email').trim() });

export function PasswordStep({ notice, onSubmit, onResetCode }: PasswordStepProps) {
  const [remembered] = useState(rememberedWho);
  const submit = async (data: FormData) => {
    const who = whoOf(data);
    await onSubmit({ ...who, password: field(data, 'password') });
    if (data.has('remember')) rememberWho(who);
    else forgetWho();
  };
  return (
    <SignInForm
      title="Sign in"
      why="to approve or reject what agents want to do in your name"
      notice={notice}
      focusOn={remembered ? 'password' : 'organization'}
      submitText="Sign in"
      busyText="Signing in…"
      failureText={signInFailure}
      onSubmit={submit}
      foot={
        <button type="button" className="button button-plain" onClick={onResetCode}>
          I have a one-time code
        </button>
      }
    >
      <WhoFields remembered={remembered} />
      <label htmlFor="password">Password</label>
      <input id="password" name="password" type="password" required autoComplete="current-password" />
      <label className="tick">
        <input type="checkbox" name="remember" defaultChecked={remembered !== undefined} /> Remember organization and e-mail on this computer
      </label>
    </SignInForm>
  );
}

export function WhoFields({ remembered }: { remembered: Who | undefined }) {
  const organization = { autoComplete: 'organization', autoCapitalize: 'none', spellCheck: false, defaultValue: remembered?.organization };
  return (
    <>
      <label htmlFor="organization">Organization</label>
      <input id="organization" name="organization" required aria-describedby="organization-hint" {...organization} />
      <p className="hint" id="organization-hint">
        Its short name, such as demo
      </p>
      <label htmlFor="email">E-mail</label>
      <input id="email" name="email" type="email" required autoComplete="username" defaultValue={remembered?.email} />
    </>
  );
}
