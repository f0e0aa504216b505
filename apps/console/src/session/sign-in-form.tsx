import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import markUrl from '../shell/mark.svg';

interface SignInFormProps {
  title: string;
  why: string;
  notice?: string | undefined;
  /** Name of the field to begin in. */
  focusOn: string;
  submitText: string;
  busyText: string;
  failureText: (error: unknown) => string;
  onSubmit: (data: FormData) => Promise<void>;
  children: ReactNode;
  /** Below the button: other ways. */
  foot?: ReactNode;
}

export const field = (data: FormData, name: string): string => {
  const value = data.get(name);
  return typeof value === 'string' ? value : '';
};

/** One step of the way in: a form that says what went wrong and stays as it was typed. */
export function SignInForm({ title, why, notice, focusOn, submitText, busyText, failureText, onSubmit, children, foot }: SignInFormProps) {
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const problem = useRef<HTMLParagraphElement>(null);

  useEffect(() => form.current?.querySelector<HTMLInputElement>(`[name=${focusOn}]`)?.focus(), [focusOn]);
  useEffect(() => {
    if (failure) problem.current?.focus();
  }, [failure]);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const data = new FormData(event.currentTarget);
    setBusy(true);
    setFailure(undefined);
    try {
      await onSubmit(data);
    } catch (error) {
      setFailure(failureText(error));
    }
    setBusy(false);
  };

  return (
    <main className="sign-in" id="main">
      <form ref={form} onSubmit={(event) => void submit(event)} aria-labelledby="sign-in-title">
        <p className="sign-in-brand">
          <img src={markUrl} alt="" width="24" height="24" />
          Better Compute
        </p>
        <h1 id="sign-in-title">{title}</h1>
        <p className="sign-in-why">{why}</p>
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
        {children}
        <button className="button button-main" type="submit" aria-disabled={isBusy}>
          {isBusy ? busyText : submitText}
        </button>
        {foot}
      </form>
    </main>
  );
}
