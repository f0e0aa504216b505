import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ComputeClient, contractLimits, createComputeClient, FleetConfig, type FleetConfigInput, type FleetPlan, PlanHash } from '@better-compute/client';
import { ApiError, parseWith } from '@kit/operation';
import type { Command } from 'commander';
import { awaitApproval, heldOf } from './await-approval.ts';
import { type Connection, type ConnectionFlags, connectionOf } from './context.ts';
import { reportFailure } from './failure.ts';
import { bad, faint, good, inert, strong, type Terminal } from './terminal.ts';
import { addConnection } from './verbs.ts';

interface Flags extends ConnectionFlags {
  json?: boolean;
}

interface ApplyFlags extends Flags {
  planHash: string;
  idempotencyKey?: string;
  note?: string;
  wait: boolean;
}

const invalid = (message: string): ApiError => new ApiError('INVALID_INPUT', 400, message);

function textOf(terminal: Terminal, file: string): string {
  if (file === '-') return readFileSync(0, 'utf8');
  const path = resolve(terminal.cwd, file);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile()) throw invalid(`${file}: there is no such file`);
  if (stat.size > contractLimits.fleetBodyBytesMax) throw invalid(`${file}: larger than ${contractLimits.fleetBodyBytesMax} bytes`);
  return readFileSync(path, 'utf8');
}

/** A fleet file, YAML or JSON (which is YAML too). Throws INVALID_INPUT naming the file, and the line or the member. */
async function readFleetFile(terminal: Terminal, file: string): Promise<FleetConfigInput> {
  const text = textOf(terminal, file);
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text, { prettyErrors: true });
  const [first] = document.errors;
  if (first) throw invalid(`${file}: ${first.message.split('\n', 1)[0]}`);
  const config: unknown = document.toJS({ maxAliasCount: 100 });
  try {
    parseWith(FleetConfig, config);
  } catch (error) {
    throw invalid(`${file}: ${(error as Error).message}`);
  }
  return config as FleetConfigInput;
}

const clientOf = ({ url, token }: Connection): ComputeClient => createComputeClient({ baseURL: url, token });

const signs = { create: good('+'), update: '~', delete: bad('-') } as const;

function lineOf({ op, kind, id, path, before, after, risk }: FleetPlan['changes'][number]): string {
  const what = path === '' ? '' : `  ${path}: ${inert(JSON.stringify(before))} → ${inert(JSON.stringify(after))}`;
  return `${signs[op]} ${op} ${kind === 'prices' ? 'prices' : inert(id)}${what}${risk === 'none' ? '' : `  ${bad(risk)}`}`;
}

const planText = ({ changes }: Pick<FleetPlan, 'changes'>): string => (changes.length === 0 ? faint('nothing would change') : changes.map(lineOf).join('\n'));

async function exportFleet(terminal: Terminal, flags: Flags): Promise<void> {
  const { config } = await clientOf(await connectionOf(terminal, flags)).fleet.export({});
  const { stringify } = await import('yaml');
  terminal.out(flags.json ? JSON.stringify(config, null, 2) : stringify(config).trimEnd());
}

async function planFleet(terminal: Terminal, file: string, flags: Flags): Promise<void> {
  const config = await readFleetFile(terminal, file);
  const { plan } = await clientOf(await connectionOf(terminal, flags)).fleet.plan({ config });
  if (flags.json) return terminal.out(JSON.stringify({ plan }));
  terminal.out(planText(plan));
  if (plan.changes.length > 0) terminal.out(`${strong('to apply it:')} better-compute fleet apply ${inert(file)} --plan-hash ${plan.planHash}`);
}

async function applyFleet(terminal: Terminal, file: string, flags: ApplyFlags): Promise<void> {
  const planHash = parseWith(PlanHash, flags.planHash);
  const config = await readFleetFile(terminal, file);
  const connection = await connectionOf(terminal, flags);
  const idempotencyKey = flags.idempotencyKey ?? `cli-${crypto.randomUUID()}`;
  const apply = () => clientOf(connection).fleet.apply({ config, planHash, idempotencyKey, ...(flags.note === undefined ? {} : { note: flags.note }) });
  const answer = await apply().catch(async (error: unknown) => {
    const held = heldOf(error);
    const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
    if (!held || !flags.wait || !(await awaitApproval(terminal, connection, held, sleep))) throw error;
    return await apply();
  });
  if (flags.json) return terminal.out(JSON.stringify(answer));
  terminal.out(planText(answer.applied));
  terminal.out(good(answer.applied.changes.length === 0 ? 'the fleet is as the file says' : 'applied'));
}

const orReport =
  <A extends unknown[]>(terminal: Terminal, run: (...args: A) => Promise<void>) =>
  async (...given: A): Promise<void> => {
    try {
      await run(...given);
    } catch (error) {
      process.exitCode = reportFailure(
        terminal,
        error,
        given.some((one) => (one as Flags | undefined)?.json === true),
      );
    }
  };

/** `fleet export|plan|apply` (compute.md §9): the file is read and checked here, compared and applied by compute. */
export function addFleet(program: Command, terminal: Terminal): void {
  const fleet = program.command('fleet').description('The whole fleet as one file: pools, budgets and prices. For administrators of the platform.');
  addConnection(fleet.command('export').description('Print the fleet as a file, YAML or with --json JSON.')).action(
    orReport(terminal, (flags: Flags) => exportFleet(terminal, flags)),
  );
  addConnection(fleet.command('plan').description('Say what applying a file would do.').argument('<file>', 'YAML or JSON; - for standard input')).action(
    orReport(terminal, (file: string, flags: Flags) => planFleet(terminal, file, flags)),
  );
  addConnection(fleet.command('apply').description('Make the fleet what a file says.').argument('<file>', 'YAML or JSON; - for standard input'))
    .requiredOption('--plan-hash <hash>', 'of the plan you have read')
    .option('--idempotency-key <string>', 'makes a retry the same request')
    .option('--note <string>', 'your words to the person who may have to approve')
    .option('--no-wait', 'do not wait for a person to approve')
    .action(orReport(terminal, (file: string, flags: ApplyFlags) => applyFleet(terminal, file, flags)));
}
