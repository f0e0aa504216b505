import type { Command } from 'commander';
import { loadConfig } from '../config/load.ts';
import { reportFailure } from './failure.ts';
import { bad, good, inert, type Terminal } from './terminal.ts';

const MARK = { ok: good('✓'), warning: '!', error: bad('✗') };

export function addDoctor(program: Command, terminal: Terminal): void {
  const doctor = program.command('doctor');
  doctor
    .description('Check the configuration, the database, IAM, the clock and the mounts.')
    .option('--config <file>', 'the configuration file')
    .option('--json', 'print as JSON')
    .action(async (flags: { config?: string; json?: boolean }) => {
      try {
        const { doctor } = await import('../doctor/doctor.ts');
        const findings = await doctor(await loadConfig({ cwd: terminal.cwd, env: terminal.env, ...(flags.config ? { file: flags.config } : {}) }));
        terminal.out(flags.json ? JSON.stringify({ findings }) : findings.map((f) => `${MARK[f.level]} ${f.code}: ${f.text}`).join('\n'));
        if (findings.some((f) => f.level === 'error')) process.exitCode = 1;
      } catch (error) {
        process.exitCode = reportFailure(terminal, error, flags.json === true);
      }
    });
  addEndpointDoctor(doctor, terminal);
}

function addEndpointDoctor(doctor: Command, terminal: Terminal): void {
  doctor
    .command('mcp')
    .description('Look at any MCP endpoint from outside for the mistakes that keep real clients out.')
    .argument('<url>', 'the address that clients are given, such as https://compute.example.com/mcp')
    .option('--token <token>', 'a credential, to look behind the challenge too (or BETTER_COMPUTE_TOKEN)')
    .option('--json', 'print as JSON')
    .action(async (url: string, _flags: unknown, command: Command) => {
      const flags: { token?: string; json?: boolean } = command.optsWithGlobals();
      try {
        const { checkEndpoint } = await import('../doctor/endpoint/endpoint.ts');
        const findings = await checkEndpoint({ url, token: flags.token ?? terminal.env.BETTER_COMPUTE_TOKEN });
        const lineOf = ({ level, code, text, fix }: (typeof findings)[number]) =>
          `${MARK[level]} ${code}: ${inert(text)}${fix === undefined ? '' : `\n    ${inert(fix)}`}`;
        terminal.out(flags.json ? JSON.stringify({ url, findings }) : findings.map(lineOf).join('\n'));
        if (findings.some(({ level }) => level === 'error')) process.exitCode = 1;
      } catch (error) {
        process.exitCode = reportFailure(terminal, error, flags.json === true);
      }
    });
}
