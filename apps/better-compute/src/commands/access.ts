import { createIamClient, type Explanation } from '@better-iam/client';
import { ApiError, durationMs, parseWith, Duration } from '@kit/operation';
import type { Command } from 'commander';
import { z } from 'zod';
import { explainWords, reachWords, stepWords, warningWords } from './access-words.ts';
import { type ConnectionFlags, connectionOf } from './context.ts';
import { reportFailure } from './failure.ts';
import { good, inert, type Terminal } from './terminal.ts';
import { addConnection } from './verbs.ts';

interface Flags extends ConnectionFlags {
  json?: boolean;
  as?: string;
  request?: string;
  actions?: string;
  tenantId?: string;
}

interface DelegateFlags extends Flags {
  scopes: string;
  confirm?: string;
  for?: string;
  maxSession?: string;
  handoffDepth?: string;
  usableInSessions?: boolean;
  dryRun?: boolean;
}

/** What `can-i` ends with; anything that keeps it from an answer is neither. */
const EXIT = { yes: 0, no: 1, held: 2, failed: 3 } as const;

const clientOf = async (terminal: Terminal, flags: Flags) => {
  const { url, token } = await connectionOf(terminal, flags);
  return createIamClient({ baseURL: url, token });
};

const invalid = (message: string): ApiError => new ApiError('INVALID_INPUT', 400, message);

function refOf(text: string): { type: string; id: string } {
  const slash = text.indexOf('/');
  if (slash < 1 || slash === text.length - 1) throw invalid(`${text}: name the resource as TYPE/ID`);
  return { type: text.slice(0, slash), id: text.slice(slash + 1) };
}

const asOf = (id: string): { delegationId: string } | { identityId: string } => (id.startsWith('dlg_') ? { delegationId: id } : { identityId: id });
const inTenant = ({ tenantId }: Flags): { tenantId?: string } => (tenantId === undefined ? {} : { tenantId });
const listOf = (text: string | undefined): string[] | undefined => text?.split(',').filter((part) => part !== '');

async function canI(terminal: Terminal, action: string, ref: string, flags: Flags): Promise<void> {
  const iam = await clientOf(terminal, flags);
  const question = { action, resource: refOf(ref), ...inTenant(flags) };
  // for oneself the very question an agent may ask too; about another the explanation, which only people get
  const answer = flags.as === undefined ? await iam.authorize({ ...question, consume: false }) : await iam.access.explain({ ...question, as: asOf(flags.as) });
  const word = answer.allowed ? 'yes' : answer.reason === 'CONFIRMATION_REQUIRED' ? 'held' : 'no';
  if (flags.json) terminal.out(JSON.stringify(answer));
  else if ('steps' in answer) terminal.out(explainWords(answer as Explanation));
  else terminal.out({ yes: 'Yes.', held: 'Held: once a person has confirmed it, each time.', no: 'No.' }[word]);
  process.exitCode = EXIT[word];
}

async function explain(terminal: Terminal, action: string | undefined, ref: string | undefined, flags: Flags): Promise<void> {
  const iam = await clientOf(terminal, flags);
  if (flags.request === undefined && (action === undefined || ref === undefined)) throw invalid('say what about: ACTION TYPE/ID, or --request REQUEST_ID');
  const question =
    flags.request !== undefined
      ? { requestId: flags.request }
      : { action: action!, resource: refOf(ref!), ...(flags.as === undefined ? {} : { as: asOf(flags.as) }) };
  const answer = await iam.access.explain({ ...question, ...inTenant(flags) });
  terminal.out(flags.json ? JSON.stringify(answer) : `${explainWords(answer)}\n${stepWords(answer)}`);
}

async function reach(terminal: Terminal, id: string, flags: Flags): Promise<void> {
  const iam = await clientOf(terminal, flags);
  const actions = listOf(flags.actions);
  const answer = await iam.access.reach({ as: asOf(id), ...(actions ? { actions } : {}), ...inTenant(flags) });
  terminal.out(flags.json ? JSON.stringify(answer) : reachWords(answer.actions));
}

const secondsOf = (text: string): number => durationMs(parseWith(z.strictObject({ duration: Duration }), { duration: text }).duration) / 1000;

async function delegate(terminal: Terminal, agentId: string, flags: DelegateFlags): Promise<void> {
  const iam = await clientOf(terminal, flags);
  const confirm = listOf(flags.confirm);
  const terms = {
    agentId,
    scopes: listOf(flags.scopes)!,
    ...(confirm ? { confirm } : {}),
    ...(flags.for === undefined ? {} : { expiresInSeconds: secondsOf(flags.for) }),
    ...(flags.maxSession === undefined ? {} : { maxSessionSeconds: secondsOf(flags.maxSession) }),
    ...(flags.handoffDepth === undefined ? {} : { handoff: { depth: Number(flags.handoffDepth) } }),
    ...(flags.usableInSessions ? { usableInSessions: true } : {}),
  };
  if (flags.dryRun) {
    const answer = await iam.delegations.preview(terms);
    if (flags.json) return terminal.out(JSON.stringify(answer));
    return terminal.out([`With this delegation the agent`, reachWords(answer.actions), warningWords(answer.warnings)].filter((line) => line !== '').join('\n'));
  }
  const answer = await iam.delegations.grant(terms);
  terminal.out(flags.json ? JSON.stringify(answer) : `${good('granted')}: ${inert(answer.id)}, until ${new Date(answer.expiresAt).toISOString()}`);
}

const orReport =
  <A extends unknown[]>(terminal: Terminal, run: (...args: A) => Promise<void>, failed?: number) =>
  async (...given: A): Promise<void> => {
    try {
      await run(...given);
    } catch (error) {
      const isJson = given.some((one) => (one as Flags | undefined)?.json === true);
      const code = reportFailure(terminal, error, isJson);
      process.exitCode = failed ?? code;
    }
  };

/** `iam can-i|explain|reach|delegate` (iam.md §12.6): answers in sentences, with `--json` as they are. */
export function addAccess(iam: Command, terminal: Terminal): void {
  const about = (command: Command): Command => addConnection(command).option('--tenant-id <string>', 'in this organization (root administrators)');
  about(iam.command('can-i').description('Whether something is allowed: exit 0 yes, 1 no, 2 held, 3 no answer.'))
    .argument('<action>', 'such as compute:pools:read')
    .argument('<type/id>', 'such as compute-pool/pool_h100')
    .option('--as <id>', 'of another identity, or of the agent of a delegation (dlg_…)')
    .action(orReport(terminal, (action: string, ref: string, flags: Flags) => canI(terminal, action, ref, flags), EXIT.failed));
  about(iam.command('explain').description('Why something is allowed or not, step by step, and what would have to change.'))
    .argument('[action]', 'such as compute:pools:read')
    .argument('[type/id]', 'such as compute-pool/pool_h100')
    .option('--as <id>', 'of another identity, or of the agent of a delegation (dlg_…)')
    .option('--request <request-id>', 'in place of action and resource: a request that was denied')
    .action(orReport(terminal, (action: string | undefined, ref: string | undefined, flags: Flags) => explain(terminal, action, ref, flags)));
  about(iam.command('reach').description('What somebody could do at most, by action.'))
    .argument('<id>', 'an identity, or a delegation (dlg_…)')
    .option('--actions <a,b>', 'only actions of these patterns')
    .action(orReport(terminal, (id: string, flags: Flags) => reach(terminal, id, flags)));
  addConnection(iam.command('delegate').description('Let an agent act for you within limits; with --dry-run only say what that would come to.'))
    .argument('<agent-id>', 'the agent')
    .requiredOption('--scopes <a,b>', 'action patterns it may use')
    .option('--confirm <a,b>', 'action patterns that wait for you, each time')
    .option('--for <duration>', 'such as 8h or 30d (default 30d)')
    .option('--max-session <duration>', 'longest session of it, such as 1h')
    .option('--handoff-depth <n>', 'how often it may be handed on, 1 to 3 (default not at all)')
    .option('--usable-in-sessions', 'your coding sessions may use it')
    .option('--dry-run', 'change nothing')
    .action(orReport(terminal, (agentId: string, flags: DelegateFlags) => delegate(terminal, agentId, flags)));
}
