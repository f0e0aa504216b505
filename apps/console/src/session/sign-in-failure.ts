import { codeOf, troubleText, waitText } from '../approvals/failure.ts';

/** The server does not say which of the three was wrong, and neither does the page (iam.md §3.4). */
export function signInFailure(error: unknown): string {
  switch (codeOf(error)) {
    case 'INVALID_CREDENTIALS':
      return 'That organization, e-mail and password do not belong together. Check all three and try again.';
    case 'INVALID_MFA':
      return 'That code is wrong, or has been used: each works once. Wait for the next one and try again.';
    case 'INVALID_CHALLENGE':
      return 'This took too long. Start over.';
    case 'INVALID_INPUT':
      return 'The organization is its short name (a-z, 0-9 and -), the e-mail a full address. Check both and try again.';
    case 'RATE_LIMITED':
      return `Too many attempts. Wait ${waitText(error)}, then try again.`;
    default:
      return troubleText(error);
  }
}

export const resetFailure = (error: unknown): string =>
  codeOf(error) === 'INVALID_CREDENTIALS'
    ? 'That organization, e-mail and code do not belong together, or the code has been used or is too old.'
    : codeOf(error) === 'INVALID_INPUT'
      ? 'The organization is its short name, the e-mail a full address, the password 12 characters or more. Check them and try again.'
      : signInFailure(error);

export const proveFailure = (error: unknown): string =>
  codeOf(error) === 'INVALID_CREDENTIALS' ? 'That is not your password. Try again.' : signInFailure(error);
