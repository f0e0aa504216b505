import { codeOf, troubleText, waitText } from '../approvals/failure.ts';

/** The server does not say which of the three was wrong, and neither does the page (iam.md §3.4). */
export function signInFailure(error: unknown): string {
  switch (codeOf(error)) {
    case 'INVALID_CREDENTIALS':
      return 'That organization, e-mail and password do not belong together. Check all three and try again.';
    case 'INVALID_INPUT':
      return 'The organization is its short name (a-z, 0-9 and -), the e-mail a full address. Check both and try again.';
    case 'RATE_LIMITED':
      return `Too many attempts. Wait ${waitText(error)}, then try again.`;
    default:
      return troubleText(error);
  }
}
