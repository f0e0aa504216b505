import { resolve } from 'node:path';
import type { Command } from 'commander';
import { loadConfig } from '../config/load.ts';
import { invalidConfig } from '../config/invalid-config.ts';
import { overridesOf } from './dev.ts';
import { reportFailure } from './failure.ts';
import { untilStopped } from './until-stopped.ts';
import type { Terminal } from './terminal.ts';

interface Flags {
  config?: string;
  dataDir?: string;
  port?: string;
  host?: string;
  only?: string;
}

export function addServe(program: Command, terminal: Terminal): void {
  program
    .command('serve')
    .description('The server, for production: better-compute.config.ts and environment.')
    .option('--config <file>', 'the configuration file')
    .option('--port <number>', 'port')
    .option('--host <address>', 'address to listen on')
    .option('--data-dir <folder>', 'folder of local state')
    .option('--only <parts>', 'run only these parts: iam,compute,mcp,console,loops')
    .action(async (flags: Flags) => {
      try {
        const overrides = { ...overridesOf(flags), ...(flags.only ? { only: flags.only.split(',') } : {}) };
        const config = await loadConfig({ cwd: terminal.cwd, env: terminal.env, overrides, ...(flags.config ? { file: flags.config } : {}) });
        if (config.options.publicUrl === undefined)
          throw invalidConfig('say under which address people reach this server, such as https://compute.example.com', {
            ...(config.file ? { file: config.file } : { file: resolve('better-compute.config.ts') }),
            path: 'publicUrl',
          });
        const { startServe } = await import('../serve/serve.ts');
        const plane = await startServe(config);
        terminal.err(`better-compute serves ${plane.publicUrl} on ${plane.url}`);
        await untilStopped();
        await plane.stop();
      } catch (error) {
        process.exitCode = reportFailure(terminal, error, false);
      }
    });
}
