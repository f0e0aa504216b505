import type { Entrance } from '@better-iam/client';

/** Where somebody is on the way in. */
export type Step =
  | { at: 'password' }
  /** With a code an owner or the host has made, which sets a new password. */
  | { at: 'reset' }
  | { at: 'code'; challenge: string }
  | { at: 'enrol'; challenge: string }
  | { at: 'in' };

/** What comes after the server's answer (iam.md §3.4). */
export function stepAfter({ challenge, enrollmentRequired }: Entrance): Step {
  if (challenge === undefined) return { at: 'in' };
  return enrollmentRequired === true ? { at: 'enrol', challenge } : { at: 'code', challenge };
}
