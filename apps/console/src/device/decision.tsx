import { useState } from 'react';
import { inertText } from '../approvals/inert-text.ts';
import { SignInForm } from '../session/sign-in-form.tsx';
import { deviceFailure } from './device-failure.ts';
import type { Terminal } from './device-page.tsx';

interface DecisionProps {
  terminal: Terminal;
  onDecide: (approve: boolean) => Promise<void>;
}

/** What is given away, said before it is (iam.md §3.6). */
export function Decision({ terminal, onDecide }: DecisionProps) {
  const [failure, setFailure] = useState<string>();
  const refuse = () => {
    onDecide(false).catch((error: unknown) => setFailure(deviceFailure(error)));
  };
  return (
    <SignInForm
      title="Give this terminal your rights?"
      why="whoever has it can then do everything you can do, confirming what agents ask for included"
      notice={failure}
      focusOn="refuse"
      submitText="Sign it in as me"
      busyText="Signing it in…"
      failureText={deviceFailure}
      onSubmit={() => onDecide(true)}
      foot={
        <button type="button" name="refuse" className="button" onClick={refuse}>
          Refuse
        </button>
      }
    >
      <p className="notice notice-bad">If an agent or a message gave you this code, refuse.</p>
      <p>What asks calls itself, unchecked:</p>
      <p className="secret" data-client="">
        {inertText(terminal.clientName)}
      </p>
    </SignInForm>
  );
}
