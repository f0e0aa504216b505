import type { ConsoleIam } from '../iam.ts';
import { field, SignInForm } from '../session/sign-in-form.tsx';
import type { Terminal } from './device-page.tsx';
import { deviceFailure } from './device-failure.ts';

interface CodeFormProps {
  iam: ConsoleIam;
  onFound: (terminal: Terminal) => void;
}

export function CodeForm({ iam, onFound }: CodeFormProps) {
  const submit = async (data: FormData) => {
    const userCode = field(data, 'userCode');
    const { clientName } = await iam.api.auth.getDevice({ userCode });
    onFound({ userCode, clientName });
  };
  return (
    <SignInForm
      title="Sign in a terminal"
      why="with the code that your own terminal shows you"
      focusOn="userCode"
      submitText="Look it up"
      busyText="Looking…"
      failureText={deviceFailure}
      onSubmit={submit}
    >
      <p className="notice notice-bad">If an agent or a message gave you this code, refuse.</p>
      <label htmlFor="userCode">Code</label>
      <input
        id="userCode"
        name="userCode"
        required
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        placeholder="XXXX-XXXX"
        aria-describedby="user-code-hint"
      />
      <p className="hint" id="user-code-hint">
        Eight letters, good for ten minutes
      </p>
    </SignInForm>
  );
}
