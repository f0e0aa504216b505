export interface Who {
  organization: string;
  email: string;
}

const KEY = 'better-compute.sign-in';

/** Only what the person ticked, never a password or a token. A browser that keeps nothing is no error. */
export function rememberedWho(): Who | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Partial<Who> | null;
    return typeof kept?.organization === 'string' && typeof kept.email === 'string' ? { organization: kept.organization, email: kept.email } : undefined;
  } catch {
    return undefined;
  }
}

export function rememberWho(who: Who): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(who));
  } catch {
    // private windows may refuse; then nothing is remembered
  }
}

export function forgetWho(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // as above
  }
}
