/** Why a decision did not go through, in a sentence that says what to do. */
export interface Failure {
  text: string;
  /** Deciding again would be of no use. */
  isFinal: boolean;
}

interface Refusal {
  code?: unknown;
  retryAfterMs?: unknown;
  requestId?: unknown;
}

const refusalOf = (error: unknown): Refusal => (typeof error === 'object' && error !== null ? (error as Refusal) : {});

/** Told apart by code alone. Shared by client errors and by the last event of a broken stream. */
export const codeOf = (error: unknown): string => {
  const { code } = refusalOf(error);
  return typeof code === 'string' ? code : 'UNKNOWN';
};

export function waitText(error: unknown): string {
  const { retryAfterMs } = refusalOf(error);
  const seconds = typeof retryAfterMs === 'number' ? Math.ceil(retryAfterMs / 1000) : 60;
  return seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}

const faultText = (error: unknown): string => {
  const { requestId } = refusalOf(error);
  return `The server failed${typeof requestId === 'string' ? ` (request ${requestId})` : ''}. Try again; if it goes on, tell whoever runs it.`;
};

const original = 'Open this page at the address the server calls its own, or ask whoever runs it to add this one to trustedOrigins.';

/** What every call can meet. */
export function troubleText(error: unknown): string {
  switch (codeOf(error)) {
    case 'UNAVAILABLE':
      return 'The server cannot be reached. Check your connection; this page tries again by itself.';
    case 'RATE_LIMITED':
      return `Too many requests. Wait ${waitText(error)}, then try again.`;
    case 'TENANT_UNAVAILABLE':
    case 'TENANT_INACTIVE':
      return 'Your organization is suspended. Ask an administrator of the platform.';
    case 'CSRF_REJECTED':
    case 'UNTRUSTED_ORIGIN':
      return `The server does not accept calls from ${location.origin}. ${original}`;
    default:
      return faultText(error);
  }
}

export function decisionFailure(error: unknown): Failure {
  switch (codeOf(error)) {
    case 'INVALID_TRANSITION':
      return { text: 'This request had already been decided, or has lapsed. Nothing was changed; it is shown as it stands now.', isFinal: true };
    case 'DELEGATION_INACTIVE':
      return {
        text: 'This agent may no longer act for you: its delegation has ended. Nothing can come of this request, and you need do nothing.',
        isFinal: true,
      };
    case 'NOT_FOUND':
      return { text: 'This request is no longer yours to decide. Nothing was changed.', isFinal: true };
    case 'ACCESS_DENIED':
      return { text: 'Your session may not decide this. Sign out, then sign in as the person it is put to.', isFinal: true };
    case 'UNAVAILABLE':
      return {
        text: 'The server did not answer, so your decision may or may not have arrived. If the request still waits when the page is live again, decide again: it counts once.',
        isFinal: false,
      };
    default:
      return { text: troubleText(error), isFinal: false };
  }
}

export const offlineFailure: Failure = { text: 'You are offline, so nothing was sent. Decide when the page is live again.', isFinal: false };
