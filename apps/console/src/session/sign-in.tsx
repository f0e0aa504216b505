import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { ConsoleIam } from '../iam.ts';
import markUrl from '../shell/mark.svg';
import { forgetWho, rememberedWho, rememberWho, type Who } from './remembered.ts';
import { signInFailure } from './sign-in-failure.ts';

interface SignInProps {
  iam: ConsoleIam;
  notice: string | undefined;
  onSignedIn: () => Promise<void>;
}

const field = (data: FormData, name: string): string => {
  const value = data.get(name);
  return typeof value === 'string' ? value : '';
};

/** Signs a person in; the answer's token is left unread, the cookie it came with is the session. */
export function SignIn({ iam, notice, onSignedIn }: SignInProps) {
  const [remembered] = useState(rememberedWho);
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const problem = useRef<HTMLParagraphElement>(null);

  useEffect(() => form.current?.querySelector<HTMLInputElement>(remembered ? '[name=password]' : '[name=organization]')?.focus(), [remembered]);
  useEffect(() => {
    if (failure) problem.current?.focus();
  }, [failure]);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const data = new FormData(event.currentTarget);
    const who = { organization: field(data, 'organization').trim().toLowerCase(), email: field(data, 'email').trim() };
    setBusy(true);
    setFailure(undefined);
    try {
      await iam.api.auth.signIn({ ...who, password: field(data, 'password') });
      if (data.has('remember')) rememberWho(who);
      else forgetWho();
      await onSignedIn();
    } catch (error) {
      setFailure(signInFailure(error));
      setBusy(false);
    }
  };

  return (
    <main className="sign-in" id="main">
      <form ref={form} onSubmit={(event) => void submit(event)} aria-labelledby="sign-in-title">
        <p className="sign-in-brand">
          <img src={markUrl} alt="" width="24" height="24" />
          Better Compute
        </p>
        <h1 id="sign-in-title">Sign in</h1>
        <p className="sign-in-why">to approve or reject what agents want to do in your name</p>
        {notice && !failure ? (
          <p role="status" className="notice">
            {notice}
          </p>
        ) : null}
        {failure ? (
          <p ref={problem} tabIndex={-1} role="alert" className="notice notice-bad">
            {failure}
          </p>
        ) : null}
        <Fields remembered={remembered} />
        <button className="button button-main" type="submit" aria-disabled={isBusy}>
          {isBusy ? 'Signing in…' : 'Sign in'}
        </button>
      </form>
    </main>
  );
}

function Fields({ remembered }: { remembered: Who | undefined }) {
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
      <label htmlFor="password">Password</label>
      <input id="password" name="password" type="password" required autoComplete="current-password" />
      <label className="tick">
        <input type="checkbox" name="remember" defaultChecked={remembered !== undefined} /> Remember organization and e-mail on this computer
      </label>
    </>
  );
}
