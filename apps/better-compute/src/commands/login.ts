import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from 'commander';
import { createIamClient } from '@better-iam/client';
import { ApiError } from '@kit/operation';
import { type Ask, askOn } from './ask.ts';
import { type Context, currentContext, removeContext, saveContext } from './context.ts';
import { deviceLogin } from './device-login.ts';
import { reportFailure } from './failure.ts';
import { completeSignIn, enrolFactor } from './second-factor.ts';
import { good, type Terminal } from './terminal.ts';

interface Flags {
  url: string;
  organization?: string;
  email?: string;
  passwordFile?: string;
  resetCode?: boolean;
  context?: string;
}

/** What a login needs of the outside: a person to ask, and time to pass. */
export interface LoginMeans {
  ask: Ask;
  sleep(ms: number): Promise<void>;
}

const readPasswordFile = (file: string | undefined): string | undefined =>
  file === undefined ? undefined : readFileSync(file === '-' ? 0 : file, 'utf8').replace(/\r?\n$/, '');

/** By password, or by a code an owner or the host has made, which sets a new one (iam.md §3.5). */
async function passwordLogin(terminal: Terminal, url: string, flags: Flags, { ask }: LoginMeans): Promise<Omit<Context, 'name'>> {
  const iam = createIamClient({ baseURL: url });
  const organization = flags.organization ?? (await ask('Organization'));
  const email = flags.email ?? (await ask('E-mail'));
  const code = flags.resetCode === true ? await ask('One-time code') : undefined;
  const password =
    readPasswordFile(flags.passwordFile) ?? (await ask(code === undefined ? 'Password' : 'New password (12 characters or more)', { isHidden: true }));
  const who = { organization, email, password };
  const entrance = await (code === undefined ? iam.auth.signIn(who) : iam.auth.redeemCode({ ...who, code }));
  return { url, organization, email, token: await completeSignIn(terminal, iam, entrance, ask) };
}

function mine(terminal: Terminal, name: string | undefined): Context {
  const context = currentContext(terminal.env, name);
  if (!context) throw new ApiError('UNAUTHENTICATED', 401, 'not signed in: run `better-compute login --url URL`');
  return context;
}

/**
 * `login`, `step-up`, `second-factor`, `logout`, `context`: a session of a person in a terminal. Unless a password is offered the person types a code into the console,
 * and no password is ever typed here. A password is never an argument, where every process could read it.
 */
export function addLogin(program: Command, terminal: Terminal, means: LoginMeans = { ask: askOn(terminal), sleep: (ms) => wait(ms) }): void {
  const command = (name: string, description: string): Command => program.command(name).description(description);
  const reported = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      process.exitCode = reportFailure(terminal, error, false);
    }
  };

  command('login', 'Sign in by a code you type into the console, or by password; the session is kept in a file of mode 600.')
    .requiredOption('--url <url>', 'address of the server')
    .option('--organization <slug>', 'the organization')
    .option('--email <address>', 'sign in here, with your password')
    .option('--password-file <file>', 'read the password from a file, - for standard input')
    .option('--reset-code', 'set a new password with a one-time code an owner or the host has made for you')
    .option('--context <name>', 'name of this login')
    .action((flags: Flags) =>
      reported(async () => {
        const url = flags.url.replace(/\/+$/, '');
        const isHere = flags.email !== undefined || flags.passwordFile !== undefined || flags.resetCode === true;
        const place = isHere ? await passwordLogin(terminal, url, flags, means) : await deviceLogin(terminal, url, flags.organization, means.sleep);
        const name = flags.context ?? `${new URL(url).host.replaceAll(':', '-')}.${place.organization}`;
        saveContext(terminal.env, { name, ...place });
        terminal.out(`${good('signed in')} as ${place.email} in ${place.organization}; context ${name}`);
      }),
    );
  command('step-up', 'Prove who you are again, for what needs a recent sign-in or the second factor.')
    .option('--password-file <file>', 'read the password from a file, - for standard input')
    .option('--context <name>', 'which login')
    .action((flags: { context?: string; passwordFile?: string }) =>
      reported(async () => {
        const context = mine(terminal, flags.context);
        const iam = createIamClient({ baseURL: context.url, token: context.token });
        const password = readPasswordFile(flags.passwordFile) ?? (await means.ask('Password', { isHidden: true }));
        const token = await completeSignIn(terminal, iam, await iam.auth.reauthenticate({ password }), means.ask);
        saveContext(terminal.env, { ...context, token });
        terminal.out(`${good('proved')}: recent for 5 minutes`);
      }),
    );
  command('second-factor', 'Add a second factor to your account, or put another in its place; needs a recent sign-in.')
    .option('--context <name>', 'which login')
    .action((flags: { context?: string }) =>
      reported(async () => {
        const context = mine(terminal, flags.context);
        const token = await enrolFactor(terminal, createIamClient({ baseURL: context.url, token: context.token }), undefined, means.ask);
        saveContext(terminal.env, { ...context, token });
        terminal.out(`${good('enrolled')}: the next sign-in asks for it`);
      }),
    );
  command('logout', 'End the session and forget it.')
    .option('--context <name>', 'which login')
    .action((flags: { context?: string }) =>
      reported(async () => {
        const context = currentContext(terminal.env, flags.context);
        if (!context) return terminal.err('not signed in');
        await createIamClient({ baseURL: context.url, token: context.token }).auth.signOut({});
        removeContext(terminal.env, context.name);
        terminal.out(`signed out of ${context.name}`);
      }),
    );
  command('context', 'Say which login commands use.').action(() => {
    const context = currentContext(terminal.env);
    terminal.out(context ? `${context.name}: ${context.email} in ${context.organization} at ${context.url}` : 'not signed in');
  });
}
