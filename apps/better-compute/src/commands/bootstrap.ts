import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { ApiError } from '@kit/operation';
import type { BootstrapInput } from '@better-iam/contract';
import { reportFailure } from './failure.ts';
import { type HostFlags, withHostIam } from './host-iam.ts';
import { good, type Terminal } from './terminal.ts';

/** Checked by IAM itself, which names what is wrong. */
async function answersOf(terminal: Terminal, file: string | undefined): Promise<BootstrapInput> {
  if (file !== undefined) return JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8')) as BootstrapInput;
  if (!terminal.isInteractive) throw new ApiError('INVALID_INPUT', 400, 'no terminal to ask on: give --from FILE with {"email", "name", "password"}');
  const { isCancel, password: askPassword, text } = await import('@clack/prompts');
  const email = await text({ message: 'E-mail of the first administrator' });
  const name = await text({ message: 'Name' });
  const password = await askPassword({ message: 'Password (12 characters or more)' });
  if (isCancel(email) || isCancel(name) || isCancel(password)) throw new ApiError('INVALID_INPUT', 400, 'stopped');
  return { email, name, password };
}

/** `iam bootstrap`: the root tenant and its first owner, once, through a running `serve` or by opening the database; never over HTTP (iam.md §5). */
export function addBootstrap(iam: Command, terminal: Terminal): void {
  iam
    .command('bootstrap')
    .description(
      'Make the platform and its first administrator. Works once, on the host: asks a running serve of the same account and data folder, else opens the database.',
    )
    .option('--from <file>', 'JSON with email, name, password; on wish organization: { name, slug, owner } (- for standard input)')
    .option('--config <file>', 'the configuration file')
    .option('--data-dir <folder>', 'data folder of the running serve (default ./.better-compute)')
    .option('--json', 'print the answer as JSON')
    .action(async (flags: HostFlags & { from?: string; json?: boolean }) => {
      try {
        await withHostIam(terminal, flags, async (host) => {
          const answers = await answersOf(terminal, flags.from);
          const root = await host.bootstrap(answers);
          if (flags.json) return terminal.out(JSON.stringify(root));
          terminal.out(`${good('the platform exists')}: tenant ${root.tenantId}`);
          terminal.out(`Sign in with organization ${answers.slug ?? 'platform'} and ${answers.email}; the first time you enrol a second factor.`);
        });
      } catch (error) {
        process.exitCode = reportFailure(terminal, error, flags.json === true);
      }
    });
}
