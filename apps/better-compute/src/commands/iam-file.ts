import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ConfigChange, createIamClient } from '@better-iam/client';
// values of the contract: the client carries none, so that the console can leave the schemas out
import { IamConfig, PlanHash } from '@better-iam/contract';
import { ApiError, parseWith } from '@kit/operation';
import type { Command } from 'commander';
import { type ConnectionFlags, connectionOf } from './context.ts';
import { reportFailure } from './failure.ts';
import { bad, faint, good, inert, strong, type Terminal } from './terminal.ts';
import { addConnection } from './verbs.ts';

interface Flags extends ConnectionFlags {
  json?: boolean;
  tenantId?: string;
}

interface ApplyFlags extends Flags {
  planHash?: string;
  yes?: boolean;
}

/** What IAM takes as a body (iam.md §6). */
const FILE_BYTES_MAX = 64 * 1024;
/** `iam plan` of a file that is not what is: a pipeline tells drift by it. */
const EXIT_DIFFERS = 2;

const invalid = (message: string): ApiError => new ApiError('INVALID_INPUT', 400, message);

/** YAML or JSON (which is YAML too); throws INVALID_INPUT naming the file, and the line or the member. */
async function readFile(terminal: Terminal, file: string): Promise<IamConfig> {
  const path = resolve(terminal.cwd, file);
  const stat = file === '-' ? undefined : statSync(path, { throwIfNoEntry: false });
  if (file !== '-' && !stat?.isFile()) throw invalid(`${file}: there is no such file`);
  if (stat && stat.size > FILE_BYTES_MAX) throw invalid(`${file}: larger than ${FILE_BYTES_MAX} bytes`);
  const { parseDocument } = await import('yaml');
  const document = parseDocument(readFileSync(file === '-' ? 0 : path, 'utf8'), { prettyErrors: true });
  const [first] = document.errors;
  if (first) throw invalid(`${file}: ${first.message.split('\n', 1)[0]}`);
  try {
    return parseWith(IamConfig, document.toJS({ maxAliasCount: 100 })) as IamConfig;
  } catch (error) {
    throw invalid(`${file}: ${(error as Error).message}`);
  }
}

async function clientOf(terminal: Terminal, flags: Flags) {
  const { url, token } = await connectionOf(terminal, flags);
  return createIamClient({ baseURL: url, token });
}

const inTenant = ({ tenantId }: Flags): { tenantId?: string } => (tenantId === undefined ? {} : { tenantId });

const signs = { create: good('+'), update: '~', delete: bad('-') } as const;
const risks = { none: '', widens: bad('  widens'), narrows: '  narrows', destroys: bad('  destroys') } as const;

function lineOf({ op, path, risk, ends }: ConfigChange): string {
  const also = ends && ends.delegations > 0 ? `  ends ${ends.delegations} live delegation${ends.delegations === 1 ? '' : 's'}` : '';
  return `${signs[op]} ${op} ${inert(path)}${risks[risk]}${also}`;
}

const planText = (changes: readonly ConfigChange[]): string => (changes.length === 0 ? faint('nothing would change') : changes.map(lineOf).join('\n'));

async function exportFile(terminal: Terminal, flags: Flags): Promise<void> {
  const { config } = await (await clientOf(terminal, flags)).config.export(inTenant(flags));
  const { stringify } = await import('yaml');
  terminal.out(flags.json ? JSON.stringify(config, null, 2) : stringify(config).trimEnd());
}

async function planFile(terminal: Terminal, file: string, flags: Flags): Promise<void> {
  const config = await readFile(terminal, file);
  const plan = await (await clientOf(terminal, flags)).config.plan({ config, ...inTenant(flags) });
  if (flags.json) terminal.out(JSON.stringify(plan));
  else {
    terminal.out(planText(plan.changes));
    if (plan.changes.length > 0) terminal.out(`${strong('to apply it:')} better-compute iam apply ${inert(file)} --plan-hash ${plan.planHash}`);
  }
  if (plan.changes.length > 0) process.exitCode = EXIT_DIFFERS;
}

async function mayApply(terminal: Terminal, changes: readonly ConfigChange[], flags: ApplyFlags): Promise<boolean> {
  if (flags.yes || changes.length === 0) return true;
  terminal.err(planText(changes));
  if (!terminal.isInteractive) throw invalid('say which plan you have read with --plan-hash, or add --yes');
  const { confirm, isCancel } = await import('@clack/prompts');
  const answer = await confirm({ message: 'Apply these changes?', initialValue: false });
  return !isCancel(answer) && answer;
}

async function applyFile(terminal: Terminal, file: string, flags: ApplyFlags): Promise<void> {
  const config = await readFile(terminal, file);
  const iam = await clientOf(terminal, flags);
  let planHash = flags.planHash === undefined ? undefined : parseWith(PlanHash, flags.planHash);
  if (planHash === undefined) {
    const plan = await iam.config.plan({ config, ...inTenant(flags) });
    if (!(await mayApply(terminal, plan.changes, flags))) return;
    planHash = plan.planHash;
  }
  const { changes } = await iam.config.apply({ config, planHash, ...inTenant(flags) });
  if (flags.json) return terminal.out(JSON.stringify({ changes }));
  if (changes.length > 0) terminal.out(planText(changes));
  terminal.out(good(changes.length === 0 ? 'the organization is as the file says' : 'applied'));
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

/** `iam export|plan|apply` (iam.md §11.5). `plan` ends with 0 where nothing would change, 2 where something would, 1 where it could not tell. */
export function addIamFile(iam: Command, terminal: Terminal): void {
  const about = (command: Command): Command => addConnection(command).option('--tenant-id <string>', 'of this organization (root administrators)');
  const file = 'YAML or JSON; - for standard input';
  about(iam.command('export').description("Print the organization's ceiling, policies, roles and agents as a file, YAML or with --json JSON.")).action(
    orReport(terminal, (flags: Flags) => exportFile(terminal, flags)),
  );
  about(iam.command('plan').description('Say what applying a file would change; exit 0 nothing, 2 something.').argument('<file>', file)).action(
    orReport(terminal, (name: string, flags: Flags) => planFile(terminal, name, flags), 1),
  );
  about(iam.command('apply').description('Make the organization what a file says.').argument('<file>', file))
    .option('--plan-hash <hash>', 'of the plan you have read')
    .option('--yes', 'apply what planning now says, without asking')
    .action(orReport(terminal, (name: string, flags: ApplyFlags) => applyFile(terminal, name, flags)));
}
