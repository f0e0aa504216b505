import { Command } from 'commander';
import { processTerminal, type Terminal } from './commands/terminal.ts';
import { VERSION } from './version.ts';

type Add = (program: Command, terminal: Terminal) => void;

/** Each command's code is loaded when it is asked for: a short command should not pay for the server. */
const COMMANDS: Record<string, () => Promise<Add>> = {
  dev: async () => (await import('./commands/dev.ts')).addDev,
  demo: async () => (await import('./commands/demo.ts')).addDemo,
  serve: async () => (await import('./commands/serve.ts')).addServe,
  doctor: async () => (await import('./commands/doctor.ts')).addDoctor,
  config: async () => (await import('./commands/config.ts')).addConfig,
  mcp: async () => (await import('./commands/mcp.ts')).addMcp,
  login: async () => (await import('./commands/login.ts')).addLogin,
  confirm: async () => (await import('./commands/confirm.ts')).addConfirm,
  fleet: async () => (await import('./commands/fleet.ts')).addFleet,
};
const SAME_FILE: Record<string, string> = { logout: 'login', 'step-up': 'login', 'second-factor': 'login', context: 'login' };

async function addServices(program: Command, terminal: Terminal): Promise<void> {
  const [{ addVerbs }, { addAccess }, { addBootstrap }, { addBreakGlass }, { addIamFile }, { addNode }, { iamService }, { computeService }] = await Promise.all(
    [
      import('./commands/verbs.ts'),
      import('./commands/access.ts'),
      import('./commands/bootstrap.ts'),
      import('./commands/break-glass.ts'),
      import('./commands/iam-file.ts'),
      import('./commands/node.ts'),
      import('@better-iam/client'),
      import('@better-compute/client'),
    ],
  );
  const iam = program.command('iam').description('People, agents, keys, delegations, policies, audit.');
  addAccess(iam, terminal);
  addIamFile(iam, terminal);
  addBootstrap(iam, terminal);
  addBreakGlass(iam, terminal);
  addNode(program, terminal);
  addVerbs(program, terminal, iamService, { under: ['iam'] });
  addVerbs(program, terminal, computeService, { under: [] });
}

/** The program with the commands `argv` may mean: the one it names, or all of them for help and for suggestions. */
export async function createProgram(terminal: Terminal, argv: string[]): Promise<Command> {
  const program = new Command('better-compute')
    .description('GPUs, virtual machines and sandboxes for agents and people, under approval.')
    .version(VERSION)
    .showSuggestionAfterError()
    .showHelpAfterError('(--help shows what there is)');
  const asked = argv[0] === undefined ? undefined : Object.hasOwn(SAME_FILE, argv[0]) ? SAME_FILE[argv[0]] : argv[0];
  if (asked === '--version' || asked === '-V') return program;
  if (asked !== undefined && Object.hasOwn(COMMANDS, asked)) {
    (await COMMANDS[asked]!())(program, terminal);
    return program;
  }
  for (const add of Object.values(COMMANDS)) (await add())(program, terminal);
  await addServices(program, terminal);
  return program;
}

/** Runs one command; answers the exit code. */
export async function main(argv: string[], terminal: Terminal = processTerminal()): Promise<number> {
  const program = await createProgram(terminal, argv);
  await program.parseAsync(argv, { from: 'user' });
  return Number(process.exitCode ?? 0);
}
