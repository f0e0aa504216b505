import { createIamClient } from '@better-iam/client';
import { refusalOf } from '@kit/operation';
import { SESSION_SECONDS_MAX } from './world.ts';
import { type AgentSession, readWorld, type World, writeWorld } from './world-file.ts';

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

/** Half of the longest: what `dev` prints should outlast a working day's half. */
const LEFT_MS_MIN = (SESSION_SECONDS_MAX * 1000) / 2;

/** A delegated session of the demo agent, for the snippets. A delegation has few at once (iam.md §23), so a restart goes on with the one it had. */
export async function agentSession(dataDir: string, world: World): Promise<AgentSession> {
  const kept = readWorld(dataDir)?.agentSession;
  if (kept && kept.expiresAt - Date.now() > LEFT_MS_MIN && (await isLive({ baseURL: world.url }, kept.token))) return kept;
  const iam = createIamClient({ baseURL: world.url, token: world.agent.key });
  const { token, expiresAt } = (await iam.delegations.assume({
    delegationId: world.delegationId,
    durationSeconds: SESSION_SECONDS_MAX,
    sessionName: 'dev',
  })) as AgentSession;
  writeWorld(dataDir, { ...(readWorld(dataDir) ?? world), agentSession: { token, expiresAt } });
  return { token, expiresAt };
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
