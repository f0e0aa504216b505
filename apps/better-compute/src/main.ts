import { Command } from 'commander';
import { computeService } from '@better-compute/client';
import { iamService } from '@better-iam/client';
import { addBootstrap } from './commands/bootstrap.ts';
import { addConfig } from './commands/config.ts';
import { addConfirm } from './commands/confirm.ts';
import { addDemo } from './commands/demo.ts';
import { addDev } from './commands/dev.ts';
import { addDoctor } from './commands/doctor.ts';
import { addLogin } from './commands/login.ts';
import { addMcp } from './commands/mcp.ts';
import { addNode } from './commands/node.ts';
import { addServe } from './commands/serve.ts';
import { processTerminal, type Terminal } from './commands/terminal.ts';
import { addVerbs } from './commands/verbs.ts';
import { VERSION } from './version.ts';

export function createProgram(terminal: Terminal): Command {
  const program = new Command('better-compute').description('GPUs, virtual machines and sandboxes for agents and people, under approval.').version(VERSION).showSuggestionAfterError().showHelpAfterError('(--help shows what there is)');
  addDev(program, terminal);
  addDemo(program, terminal);
  addServe(program, terminal);
  addDoctor(program, terminal);
  addConfig(program, terminal);
  addMcp(program, terminal);
  addLogin(program, terminal);
  addConfirm(program, terminal);
  addNode(program, terminal);
  const iam = program.command('iam').description('People, agents, keys, delegations, policies, audit.');
  addBootstrap(iam, terminal);
  addVerbs(program, terminal, iamService, { under: ['iam'] });
  addVerbs(program, terminal, computeService, { under: [] });
  return program;
}

/** Runs one command; answers the exit code that `process.exitCode` was not already set to. */
export async function main(argv: string[], terminal: Terminal = processTerminal()): Promise<number> {
  const program = createProgram(terminal);
  await program.parseAsync(argv, { from: 'user' });
  return Number(process.exitCode ?? 0);
}
