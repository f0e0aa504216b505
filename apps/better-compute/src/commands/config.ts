import type { Command } from 'commander';
import { loadConfig } from '../config/load.ts';
import { configRows, configText } from '../config/print.ts';
import { reportFailure } from './failure.ts';
import { good, type Terminal } from './terminal.ts';

/** `config check|print`: what would be used, and from where; secrets masked (product.md §5). */
export function addConfig(program: Command, terminal: Terminal): void {
  const config = program.command('config').description('Check or print the settings.');
  const load = async (flags: { config?: string }) =>
    await loadConfig({ cwd: terminal.cwd, env: terminal.env, ...(flags.config ? { file: flags.config } : {}) });
  const withFlags = (command: Command): Command => command.option('--config <file>', 'the configuration file').option('--json', 'print as JSON');
  withFlags(config.command('check').description('Say whether the settings are valid.')).action(async (flags: { config?: string; json?: boolean }) => {
    try {
      const loaded = await load(flags);
      terminal.out(
        flags.json ? JSON.stringify({ valid: true, file: loaded.file ?? null }) : good(`the settings are valid${loaded.file ? ` (${loaded.file})` : ''}`),
      );
    } catch (error) {
      process.exitCode = reportFailure(terminal, error, flags.json === true);
    }
  });
  withFlags(config.command('print').description('Every setting, its value and where it comes from.')).action(
    async (flags: { config?: string; json?: boolean }) => {
      try {
        const loaded = await load(flags);
        terminal.out(flags.json ? JSON.stringify(configRows(loaded)) : configText(loaded));
      } catch (error) {
        process.exitCode = reportFailure(terminal, error, flags.json === true);
      }
    },
  );
}
