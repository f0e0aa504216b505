import type { Command } from 'commander';
import { ApiError } from '@kit/operation';
import { createIamClient } from '@better-iam/client';
import { currentContext, removeContext, saveContext } from './context.ts';
import { reportFailure } from './failure.ts';
import { good, type Terminal } from './terminal.ts';

async function ask(terminal: Terminal, message: string, given: string | undefined, isHidden = false): Promise<string> {
  if (given !== undefined) return given;
  if (!terminal.isInteractive) throw new ApiError('INVALID_INPUT', 400, `${message}: give it as an option, there is no terminal to ask on`);
  const { isCancel, password: askPassword, text } = await import('@clack/prompts');
  const answer = await (isHidden ? askPassword({ message }) : text({ message }));
  if (isCancel(answer)) throw new ApiError('INVALID_INPUT', 400, 'stopped');
  return answer;
}

interface Flags {
  url: string;
  organization?: string;
  email?: string;
  passwordFile?: string;
  context?: string;
}

async function readPasswordFile(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const { readFileSync } = await import('node:fs');
  return readFileSync(file === '-' ? 0 : file, 'utf8').replace(/\r?\n$/, '');
}

/** `login`, `logout`, `context`: a session of a person in a terminal. The password is never an argument, where every process could read it. */
export function addLogin(program: Command, terminal: Terminal): void {
  program
    .command('login')
    .description('Sign in and keep the session in a file of mode 600.')
    .requiredOption('--url <url>', 'address of the server')
    .option('--organization <slug>', 'the organization')
    .option('--email <address>', 'your address')
    .option('--password-file <file>', 'read the password from a file, - for standard input')
    .option('--context <name>', 'name of this login')
    .action(async (flags: Flags) => {
      try {
        const organization = await ask(terminal, 'Organization', flags.organization);
        const email = await ask(terminal, 'E-mail', flags.email);
        const password = await ask(terminal, 'Password', await readPasswordFile(flags.passwordFile), true);
        const url = flags.url.replace(/\/+$/, '');
        const answer = (await createIamClient({ baseURL: url }).auth.signIn({ organization, email, password })) as { token?: string };
        if (answer.token === undefined) throw new ApiError('MFA_REQUIRED', 403, 'this account needs a second factor: sign in on the page');
        const name = flags.context ?? `${new URL(url).host.replaceAll(':', '-')}.${organization}`;
        saveContext(terminal.env, { name, url, organization, email, token: answer.token });
        terminal.out(`${good('signed in')} as ${email} in ${organization}; context ${name}`);
      } catch (error) {
        process.exitCode = reportFailure(terminal, error, false);
      }
    });
  program
    .command('logout')
    .description('End the session and forget it.')
    .option('--context <name>', 'which login')
    .action(async (flags: { context?: string }) => {
      try {
        const context = currentContext(terminal.env, flags.context);
        if (!context) return terminal.err('not signed in');
        await createIamClient({ baseURL: context.url, token: context.token }).auth.signOut({});
        removeContext(terminal.env, context.name);
        terminal.out(`signed out of ${context.name}`);
      } catch (error) {
        process.exitCode = reportFailure(terminal, error, false);
      }
    });
  program
    .command('context')
    .description('Say which login commands use.')
    .action(() => {
      const context = currentContext(terminal.env);
      terminal.out(context ? `${context.name}: ${context.email} in ${context.organization} at ${context.url}` : 'not signed in');
    });
}
