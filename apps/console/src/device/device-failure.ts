import { codeOf } from '../approvals/failure.ts';
import { signInFailure } from '../session/sign-in-failure.ts';

export const deviceFailure = (error: unknown): string =>
  codeOf(error) === 'INVALID_CHALLENGE' || codeOf(error) === 'INVALID_INPUT'
    ? 'No terminal waits with that code: it may be mistyped, used, refused or older than ten minutes.'
    : signInFailure(error);
