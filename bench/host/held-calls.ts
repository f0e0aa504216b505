import { setTimeout as sleep } from 'node:timers/promises';
import { createIamClient } from '@better-iam/client';
import type { DevProcess } from '../../tests/support/dev-process.ts';
import { callTool } from '../../tests/support/mcp-call.ts';

/** As many as one delegation may put to its person in a quarter of an hour (iam.md §23). */
export const FILINGS_PER_AGENT = 10;
/** What a person takes at least to read; long enough for the call to wait for the decision and for nothing else. */
const READING_MS = 20;
const LOOK_MS = 5;

export interface Decided {
  /** From the click's sending to the whole answer of the call that waited. */
  answeredMs: number;
  /** From the click's sending to its own answer. */
  clickMs: number;
}

/** A person signed in over HTTP, with agents whose reservations wait for them. */
export async function signIn({ url, demo, person: { email, password } }: DevProcess) {
  const { token } = (await createIamClient({ baseURL: url }).auth.signIn({ organization: demo.slug, email, password })) as { token: string };
  const iam = createIamClient({ baseURL: url, token });
  return {
    token,
    /** The token of a new agent's delegated session. */
    async addAgent(name: string): Promise<string> {
      const { identityId } = await iam.sts.getCallerIdentity();
      const agent = await iam.agents.create({ name, sponsorId: identityId, model: 'm', provider: 'p', maxDelegatedSessionSeconds: 3_600 });
      const key = await iam.credentials.create({ identityId: agent.id, name: 'key' });
      const delegation = await iam.delegations.grant({
        agentId: agent.id,
        scopes: ['compute:pools:read', 'compute:reservations:*'],
        confirm: ['compute:reservations:create'],
      });
      const session = await createIamClient({ baseURL: url, token: key.token }).delegations.assume({ delegationId: delegation.id, durationSeconds: 900 });
      return session.token;
    },
    /** What is put to them, once there is something. */
    async confirmation(signal: AbortSignal): Promise<string> {
      for (;;) {
        const { items } = await iam.delegations.listConfirmations({ status: 'pending' }, { signal });
        if (items[0]) return items[0].id;
        await sleep(LOOK_MS, undefined, { signal });
      }
    },
    decide: (confirmationId: string, approve: boolean) => iam.delegations.decideConfirmation({ confirmationId, approve }),
  };
}

export type Person = Awaited<ReturnType<typeof signIn>>;

/** One held `reserve_gpus` that the person decides while it waits; both speak over connections of their own. */
export async function decideOne({ url }: DevProcess, person: Person, call: { agentToken: string; poolId: string; approve: boolean }): Promise<Decided> {
  const { agentToken, poolId, approve } = call;
  const overHttp = (request: Request) => fetch(`${url}/mcp`, request);
  const answered = new AbortController();
  let answeredAt = 0;
  const waiting = callTool(overHttp, agentToken, 'reserve_gpus', { poolId, gpus: 1, duration: '1h' }).then((result) => {
    answeredAt = performance.now();
    answered.abort();
    return result;
  });
  const wrong = async (what: string) => new Error(`what is measured must be ${what}: ${JSON.stringify(await waiting).slice(0, 300)}`);
  const confirmationId = await person.confirmation(answered.signal).catch(async () => Promise.reject(await wrong('held')));
  await sleep(READING_MS);
  const sentAt = performance.now();
  await person.decide(confirmationId, approve);
  const clickMs = performance.now() - sentAt;
  const { reservation, status } = (await waiting).structuredContent;
  const answeredMs = answeredAt - sentAt;
  if (!approve && status !== 'confirmation-denied') throw await wrong('denied');
  if (approve) {
    if (!reservation) throw await wrong('placed');
    await callTool(overHttp, agentToken, 'release_reservation', { reservationId: reservation.id });
  }
  return { answeredMs, clickMs };
}
