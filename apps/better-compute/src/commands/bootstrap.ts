import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { z } from 'zod';
import { ApiError, parseWith } from '@kit/operation';
import { loadConfig } from '../config/load.ts';
import { secretOf } from '../host/secret.ts';
import { reportFailure } from './failure.ts';
import { good, type Terminal } from './terminal.ts';

const Answers = z.strictObject({
  email: z.email(),
  name: z.string().min(1).max(256),
  password: z.string().min(12).max(256),
  rootName: z.string().optional(),
  slug: z.string().optional(),
});

async function answersOf(terminal: Terminal, file: string | undefined): Promise<z.output<typeof Answers>> {
  if (file !== undefined) return parseWith(Answers, JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8')));
  if (!terminal.isInteractive) throw new ApiError('INVALID_INPUT', 400, 'no terminal to ask on: give --from FILE with {"email", "name", "password"}');
  const { isCancel, password: askPassword, text } = await import('@clack/prompts');
  const email = await text({ message: 'E-mail of the first administrator' });
  const name = await text({ message: 'Name' });
  const password = await askPassword({ message: 'Password (12 characters or more)' });
  if (isCancel(email) || isCancel(name) || isCancel(password)) throw new ApiError('INVALID_INPUT', 400, 'stopped');
  return parseWith(Answers, { email, name, password });
}

/** `iam bootstrap`: the root tenant and its first owner, once, by opening the database; never over HTTP (iam.md §5). */
export function addBootstrap(iam: Command, terminal: Terminal): void {
  iam
    .command('bootstrap')
    .description('Make the platform and its first administrator. Works once.')
    .option('--from <file>', 'JSON with email, name, password (- for standard input)')
    .option('--config <file>', 'the configuration file')
    .option('--json', 'print the answer as JSON')
    .action(async (flags: { from?: string; config?: string; json?: boolean }) => {
      try {
        const config = await loadConfig({ cwd: terminal.cwd, env: terminal.env, ...(flags.config ? { file: flags.config } : {}) });
        const answers = await answersOf(terminal, flags.from);
        const [{ betterIam }, { openStore }, { derivedKey }] = await Promise.all([
          import('@better-iam/server'),
          import('../host/database.ts'),
          import('../host/services.ts'),
        ]);
        const database = await openStore(config.options, { mayEmbed: false });
        try {
          const made = betterIam({
            database,
            secret: derivedKey(secretOf(config.options, { mayMake: false }), 'iam'),
            baseURL: config.options.publicUrl ?? 'http://127.0.0.1:7070',
            permissions: { actions: [], resourceTypes: {} },
          });
          await made.initialize();
          const root = await made.bootstrap(answers as Parameters<typeof made.bootstrap>[0]);
          terminal.out(
            flags.json
              ? JSON.stringify(root)
              : `${good('the platform exists')}: tenant ${root.tenantId}. Sign in with organization ${answers.slug ?? 'platform'} and ${answers.email}.`,
          );
        } finally {
          await database.close();
        }
      } catch (error) {
        process.exitCode = reportFailure(terminal, error, flags.json === true);
      }
    });
}
