import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { reportFailure } from './failure.ts';
import { type HostFlags, withHostIam } from './host-iam.ts';
import { faint, strong, type Terminal, when } from './terminal.ts';

interface Flags extends HostFlags {
  organization: string;
  email: string;
  reason: string;
  owner?: boolean;
  json?: boolean;
}

/** `iam break-glass`: a way back in where nobody is left who could give one; on the host, and recorded with its account (iam.md §3.5). */
export function addBreakGlass(iam: Command, terminal: Terminal): void {
  iam
    .command('break-glass')
    .description('Let a person in again when no owner is left who could: a code for 15 minutes. Recorded, and shown to every owner. Works as bootstrap does.')
    .requiredOption('--organization <slug>', 'their organization')
    .requiredOption('--email <address>', 'their address')
    .requiredOption('--reason <text>', 'why; shown to them and to every owner')
    .option('--owner', 'also make them an owner, where the organization has no active one')
    .option('--config <file>', 'the configuration file')
    .option('--data-dir <folder>', 'data folder of the running serve (default ./.better-compute)')
    .option('--json', 'print the answer as JSON')
    .action(async ({ organization, email, reason, owner, json, ...flags }: Flags) => {
      try {
        const input = { organization, email, reason, hostAccount: userInfo().username, ...(owner === true ? { owner } : {}) };
        const made = await withHostIam(terminal, flags, (host) => host.breakGlass(input));
        if (json) return terminal.out(JSON.stringify(made));
        terminal.out(`${strong(made.code)}  ${faint(`good once, until ${when(made.expiresAt)}`)}`);
        terminal.out(`${email} sets a new password with it: better-compute login --url URL --reset-code, or on the console's sign-in page.`);
      } catch (error) {
        process.exitCode = reportFailure(terminal, error, json === true);
      }
    });
}
