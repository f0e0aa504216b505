import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createIamClient } from '@better-iam/client';
import { cardOf, type CardConfirmation } from '../commands/confirmation-card.ts';
import { faint, good, strong, type Terminal } from '../commands/terminal.ts';
import { connectAgent } from './agent.ts';
import { startDemoServer, type DemoServer } from './server.ts';
import { expectStory, tellStory, type Step } from './steps.ts';

/** How long the held call of the story waits for the person before it answers: short, so that the retry is seen. */
const CALL_WAIT_MS = 500;
const POLL_MS = 500;

export interface DemoOptions {
  isApproving: boolean;
  isJson: boolean;
  port?: number;
}

/** `better-compute demo`: the main job, told in the terminal, against a real server in a temporary folder. */
export async function runDemo(terminal: Terminal, o: DemoOptions): Promise<void> {
  const started = performance.now();
  const dataDir = mkdtempSync(join(tmpdir(), 'better-compute-demo-'));
  const talk = (text: string): void => (o.isJson ? terminal.err(text) : terminal.out(text));
  const record = (step: Step): void => void (o.isJson && terminal.out(JSON.stringify(step)));
  let chapter = 0;
  const tell = (title: string, text: string): void => talk(`\n${strong(`${++chapter}. ${title}`)}\n${text.replace(/^/gm, '   ')}`);
  talk(faint('starting a server in a temporary folder: embedded PostgreSQL, demo organization, 16 simulated nodes with 128 GPUs …'));
  let server: DemoServer | undefined;
  try {
    server = await startDemoServer({
      dataDir,
      env: { BETTER_COMPUTE_MCP_MAX_WAIT_MS: String(CALL_WAIT_MS) },
      error: talk,
      ...(o.port === undefined ? {} : { port: o.port }),
    });
    const { ready } = server;
    record({ step: 'ready', request: null, response: { url: ready.url } });
    talk(`${ready.agent.name} acts for ${ready.person.name} at ${ready.url}/mcp, with the official MCP client`);
    const agent = await connectAgent(ready);
    const iam = createIamClient({ baseURL: ready.url });
    const { token } = (await iam.auth.signIn({ organization: ready.demo.slug, email: ready.person.email, password: ready.person.password })) as {
      token: string;
    };
    const person = createIamClient({ baseURL: ready.url, token });
    const approve = async (confirmationId: string): Promise<unknown> => {
      const confirmation = await person.delegations.getConfirmation({ confirmationId });
      talk(`\n${cardOf(confirmation as CardConfirmation, Date.now()).replace(/^/gm, '   │ ')}\n`);
      if (o.isApproving) {
        const decided = await person.delegations.decideConfirmation({ confirmationId, approve: true });
        talk(`   ${good('approved')} by --approve, as ${ready.person.name}`);
        return decided;
      }
      talk(`   Approve it at ${strong(`${ready.url}/approvals/${confirmationId}`)}`);
      talk(`   sign in: organization ${strong(ready.demo.slug)}, ${strong(ready.person.email)}, password ${strong(ready.person.password)}`);
      talk(faint(`   or in another terminal: better-compute confirm approve ${confirmationId} --server ${ready.url}   (after better-compute login)`));
      for (;;) {
        const now = await person.delegations.getConfirmation({ confirmationId });
        if (now.status !== 'pending' || now.expired) {
          expectStory(now.status === 'approved', 'the person approves', now.status);
          return now;
        }
        await sleep(POLL_MS);
      }
    };
    await tellStory({ agent, tell, record, approve });
    await agent.close();
    talk(
      `\n${good('The story went as told')} in ${((performance.now() - started) / 1000).toFixed(1)} s. Next: ${strong('npm run dev')} keeps such a server running.`,
    );
  } finally {
    await server?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
