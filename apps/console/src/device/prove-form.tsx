import { proveFailure } from '../session/sign-in-failure.ts';
import { field, SignInForm } from '../session/sign-in-form.tsx';

/** Giving a session away takes a sign-in of the last five minutes (iam.md §3.6). */
export const ProveForm = ({ onSubmit }: { onSubmit: (password: string) => Promise<void> }) => (
  <SignInForm
    title="Your password again"
    why="you signed in more than five minutes ago"
    focusOn="password"
    submitText="Continue"
    busyText="Checking…"
    failureText={proveFailure}
    onSubmit={(data) => onSubmit(field(data, 'password'))}
  >
    <label htmlFor="password">Password</label>
    <input id="password" name="password" type="password" required autoComplete="current-password" />
  </SignInForm>
);
