import { createIamClient } from '@better-iam/client';
import { refusalOf } from '@kit/operation';
import { readWorld, type World, writeWorld } from './world-file.ts';

/** Signing in is counted (iam.md §3.4); so the demo person's session is kept beside the demo person's password and used again. */
export async function personSession(dataDir: string, world: World, o: { url: string; fetch?: (request: Request) => Promise<Response> }): Promise<string> {
  const client = { baseURL: o.url, ...(o.fetch ? { fetch: o.fetch } : {}) };
  const kept = readWorld(dataDir)?.session;
  if (kept !== undefined && (await isLive(client, kept))) return kept;
  const { token } = (await createIamClient(client).auth.signIn({
    organization: world.demo.slug,
    email: world.person.email,
    password: world.person.password,
  })) as { token: string };
  writeWorld(dataDir, { ...(readWorld(dataDir) ?? world), session: token });
  return token;
}

async function isLive(client: { baseURL: string; fetch?: (request: Request) => Promise<Response> }, token: string): Promise<boolean> {
  try {
    await createIamClient({ ...client, token }).sts.getCallerIdentity();
    return true;
  } catch (error) {
    if (refusalOf(error)?.status === 401) return false;
    throw error;
  }
}
