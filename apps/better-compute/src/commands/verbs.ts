import { setTimeout as sleep } from 'node:timers/promises';
import { Command, Option } from 'commander';
import { ApiError, commandOf, createClient, kebab, parseWith, valueOf, type CommandDefinition, type CommandOption, type Service } from '@kit/operation';
import { awaitApproval, heldOf } from './await-approval.ts';
import { connectionOf, type Connection, type ConnectionFlags } from './context.ts';
import { reportFailure } from './failure.ts';
import { render } from './render.ts';
import type { Terminal } from './terminal.ts';

type Flags = Record<string, string | boolean | string[] | undefined> & ConnectionFlags & { json?: boolean; yes?: boolean; wait?: boolean; input?: string };

const optionFor = (option: CommandOption): Option => {
  const made = new Option(option.kind === 'boolean' ? option.flag : `${option.flag} <${option.kind === 'list' ? 'a,b' : option.kind}>`, option.description);
  return option.choices ? made.choices(option.choices) : made;
};

/** Finds or makes the command of a path, so that verbs of one noun share it. */
function commandAt(program: Command, path: string[]): Command {
  return path.reduce(
    (parent, word) =>
      parent.commands.find((c) => c.name() === word) ?? parent.command(word).description(`${word.replaceAll('-', ' ')}: --help shows its verbs`),
    program,
  );
}

function argumentsOf(definition: CommandDefinition, positional: string[], flags: Flags): Record<string, unknown> {
  const args: Record<string, unknown> = flags.input === undefined ? {} : (JSON.parse(flags.input) as Record<string, unknown>);
  definition.positional.forEach((option, i) => {
    if (positional[i] !== undefined) args[option.name] = valueOf(option, positional[i]);
  });
  for (const option of definition.options) {
    const given = flags[optionFor(option).attributeName()];
    if (given !== undefined) args[option.name] = valueOf(option, given);
  }
  return args;
}

async function mayProceed(terminal: Terminal, definition: CommandDefinition, flags: Flags): Promise<boolean> {
  if (definition.operation.effect !== 'destroy' || flags.yes) return true;
  if (!terminal.isInteractive) throw new ApiError('INVALID_INPUT', 400, 'this cannot be undone: add --yes to do it without being asked');
  const { confirm, isCancel } = await import('@clack/prompts');
  const answer = await confirm({ message: `${definition.operation.summary} Go on?`, initialValue: false });
  return !isCancel(answer) && answer;
}

async function callOnce(service: Service, connection: Connection, definition: CommandDefinition, input: Record<string, unknown>): Promise<unknown> {
  const [group, method] = definition.operation.id.split('.') as [string, string];
  const client = createClient(service, { baseURL: connection.url, token: connection.token }) as unknown as Record<
    string,
    Record<string, (input: unknown) => Promise<unknown>>
  >;
  return await client[group]![method]!(input);
}

async function run(terminal: Terminal, service: Service, definition: CommandDefinition, positional: string[], flags: Flags): Promise<void> {
  const args = argumentsOf(definition, positional, flags);
  const keyed = definition.operation.key === 'mint' && args.idempotencyKey === undefined ? { ...args, idempotencyKey: `cli-${crypto.randomUUID()}` } : args;
  const { idempotencyKey, tenantId, note, ...own } = keyed;
  const shape = definition.arguments.shape;
  const checked = parseWith(
    definition.arguments,
    Object.fromEntries(Object.entries(keyed).filter(([name]) => Object.hasOwn(shape, name) || Object.hasOwn(own, name))),
  ) as Record<string, unknown>;
  const input = {
    ...definition.toInput(checked),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(tenantId === undefined ? {} : { tenantId }),
    ...(note === undefined ? {} : { note }),
  };
  if (!(await mayProceed(terminal, definition, flags))) return;
  const connection = await connectionOf(terminal, flags);
  let answer: unknown;
  try {
    answer = await callOnce(service, connection, definition, input);
  } catch (error) {
    const held = heldOf(error);
    if (!held || flags.wait === false) throw error;
    if (!(await awaitApproval(terminal, connection, held, (ms) => sleep(ms)))) throw error;
    answer = await callOnce(service, connection, definition, input);
  }
  if (definition.operation.events) {
    for await (const event of answer as AsyncIterable<unknown>) terminal.out(JSON.stringify(event));
    return;
  }
  terminal.out(flags.json ? JSON.stringify(answer) : render(answer));
}

/** One subcommand per operation of a service, generated from its contract (compute.md §10). */
export function addVerbs(program: Command, terminal: Terminal, service: Service, o: { under: string[] }): void {
  for (const op of service.operations) {
    const definition = commandOf(op);
    if (!definition) continue;
    const command = commandAt(program, [...o.under, ...definition.path]).description(op.summary);
    for (const option of definition.positional) command.argument(option.isRequired ? `<${option.name}>` : `[${option.name}]`, option.description);
    for (const option of definition.options) command.addOption(optionFor(option));
    for (const name of ['tenantId', 'note', 'idempotencyKey'] as const) {
      if (Object.hasOwn(op.input.shape, name) && !definition.options.some((option) => option.name === name)) command.option(`--${kebab(name)} <string>`);
    }
    if (op.key !== 'none') command.option('--no-wait', 'do not wait for a person to approve');
    if (op.effect === 'destroy') command.option('--yes', 'do not ask');
    addConnection(command).option('--input <json>', 'more members as JSON');
    command.action(async (...given: unknown[]) => {
      const flags = given[given.length - 2] as Flags;
      try {
        await run(terminal, service, definition, given.slice(0, definition.positional.length) as string[], flags);
      } catch (error) {
        process.exitCode = reportFailure(terminal, error, flags.json === true);
      }
    });
  }
}

/** The flags that say where and as whom. */
export const addConnection = (command: Command): Command =>
  command
    .option('--server <url>', 'address of the server (BETTER_COMPUTE_URL)')
    .option('--token <token>', 'act with this token (better: BETTER_COMPUTE_TOKEN)')
    .option('--context <name>', 'act as this login')
    .option('--json', 'print the answer as JSON');
