import { SESSION_COOKIE } from '@kit/operation';

export const cookieName = (isSecure: boolean): string => (isSecure ? `__Host-${SESSION_COOKIE}` : SESSION_COOKIE);

/** The console's session (iam.md §3.2): unreadable for scripts, never sent across sites, bound to the host on https. */
export function sessionCookie(session: { token: string; expiresAt: number } | undefined, o: { isSecure: boolean; now: number }): string {
  const seconds = session ? Math.max(0, Math.floor((session.expiresAt - o.now) / 1000)) : 0;
  return `${cookieName(o.isSecure)}=${session?.token ?? ''}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${o.isSecure ? '; Secure' : ''}`;
}
