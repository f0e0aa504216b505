import type { Command } from 'commander';
import { createComputeClient } from '@better-compute/client';
import { createIamClient, type FullApi } from '@better-iam/client';
import { refusalOf } from '@kit/operation';
import { cardOf, type CardConfirmation, type CardLeft } from './confirmation-card.ts';
import { connectionOf, type Connection, type ConnectionFlags } from './context.ts';
import { reportFailure } from './failure.ts';
import { render } from './render.ts';
import { good, type Terminal } from './terminal.ts';
import { addConnection } from './verbs.ts';

type Flags = ConnectionFlags & { json?: boolean; status?: string };

/** `confirm list|show|approve|reject`: deciding without a browser, by the person's own session (iam.md §26 #8). */
export function addConfirm(program: Command, terminal: Terminal): void {
  const confirm = program.command('confirm').description('Decide what your agents were not allowed to do without you.');
  const act = (
    command: Command,
    work: (iam: FullApi, id: string, flags: Flags) => Promise<unknown>,
    text: (answer: unknown, connection: Connection) => string | Promise<string>,
  ): void => {
    addConnection(command).action(async (...given: unknown[]) => {
      const flags = given[given.length - 2] as Flags;
      try {
        const connection = await connectionOf(terminal, flags);
        const answer = await work(createIamClient({ baseURL: connection.url, token: connection.token }), typeof given[0] === 'string' ? given[0] : '', flags);
        terminal.out(flags.json ? JSON.stringify(answer) : await text(answer, connection));
      } catch (error) {
        process.exitCode = reportFailure(terminal, error, flags.json === true);
      }
    });
  };
  const shown = async (answer: unknown, connection: Connection): Promise<string> =>
    cardOf(answer as CardConfirmation, Date.now(), await leftOf(answer as CardConfirmation, connection));
  act(
    confirm.command('list').description('What waits for you, newest first.').option('--status <status>', 'pending, approved, rejected or used', 'pending'),
    async (iam, _id, flags) => await iam.delegations.listConfirmations(flags.status ? { status: flags.status as 'pending' } : {}),
    (answer) => render(answer),
  );
  act(
    confirm.command('show <confirmationId>').description('One request, in full.'),
    async (iam, confirmationId) => await iam.delegations.getConfirmation({ confirmationId }),
    shown,
  );
  act(
    confirm.command('approve <confirmationId>').description('Approve that exact request, once.'),
    async (iam, confirmationId) => await iam.delegations.decideConfirmation({ confirmationId, approve: true }),
    (answer) => `${good('approved')}\n${cardOf(answer as CardConfirmation, Date.now())}`,
  );
  act(
    confirm.command('reject <confirmationId>').description('Reject it.'),
    async (iam, confirmationId) => await iam.delegations.decideConfirmation({ confirmationId, approve: false }),
    () => 'rejected',
  );
}

/** Of a request that still waits. What cannot be read is left out: the card stands without it. */
async function leftOf({ resource, status, expired }: CardConfirmation, { url, token }: Connection): Promise<CardLeft | undefined> {
  if (status !== 'pending' || expired || !resource.id.startsWith('drf_')) return undefined;
  try {
    return (await createComputeClient({ baseURL: url, token }).budgets.left({ draftId: resource.id })).left;
  } catch (error) {
    if (refusalOf(error)) return undefined;
    throw error;
  }
}
