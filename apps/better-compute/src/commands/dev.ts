import type { Command } from 'commander';
import { loadConfig } from '../config/load.ts';
import { reportFailure } from './failure.ts';
import { untilStopped } from './until-stopped.ts';
import type { Terminal } from './terminal.ts';

interface Flags {
  config?: string;
  dataDir?: string;
  port?: string;
  host?: string;
  fresh?: boolean;
  json?: boolean;
  nodes?: boolean;
}

export function overridesOf(flags: { dataDir?: string; port?: string; host?: string }): Record<string, unknown> {
  return {
    ...(flags.dataDir === undefined ? {} : { dataDir: flags.dataDir }),
    ...(flags.port === undefined && flags.host === undefined
      ? {}
      : { listen: { ...(flags.port === undefined ? {} : { port: Number(flags.port) }), ...(flags.host === undefined ? {} : { host: flags.host }) } }),
  };
}

export function addDev(program: Command, terminal: Terminal): void {
  program
    .command('dev')
    .description('Everything on this machine: embedded database, demo organization, 16 simulated nodes.')
    .option('--fresh', 'forget the folder and start over')
    .option('--port <number>', 'port (default 7070, or the next free one)')
    .option('--host <address>', 'loopback address to listen on')
    .option('--data-dir <folder>', 'folder of the database (default ./.better-compute)')
    .option('--config <file>', 'the configuration file')
    .option('--no-nodes', 'without simulated nodes')
    .option('--json', 'print one JSON line when ready')
    .action(async (flags: Flags) => {
      try {
        const config = await loadConfig({
          cwd: terminal.cwd,
          env: terminal.env,
          overrides: overridesOf(flags),
          ...(flags.config ? { file: flags.config } : {}),
        });
        const { startDev } = await import('../dev/dev.ts');
        const dev = await startDev(config, { isFresh: flags.fresh === true, hasNodes: flags.nodes !== false });
        terminal.out(flags.json ? JSON.stringify({ ready: true, ...dev.world, agentToken: dev.agentToken, snippets: dev.snippets }) : dev.welcome);
        await untilStopped();
        await dev.stop();
      } catch (error) {
        process.exitCode = reportFailure(terminal, error, flags.json === true);
      }
    });
}
