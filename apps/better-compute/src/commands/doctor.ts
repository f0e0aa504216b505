import type { Command } from 'commander';
import { loadConfig } from '../config/load.ts';
import { reportFailure } from './failure.ts';
import { bad, good, type Terminal } from './terminal.ts';

const MARK = { ok: good('✓'), warning: '!', error: bad('✗') };

export function addDoctor(program: Command, terminal: Terminal): void {
  program
    .command('doctor')
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
}
