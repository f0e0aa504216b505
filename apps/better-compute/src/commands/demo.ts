import type { Command } from 'commander';
import { reportFailure } from './failure.ts';
import type { Terminal } from './terminal.ts';

export function addDemo(program: Command, terminal: Terminal): void {
  program
    .command('demo')
    .description('The main job, told in the terminal: an agent reserves GPUs, a person approves, it happens exactly once.')
    .option('--approve', 'approve by itself, after showing the card')
    .option('--json', 'one JSON line per step: {step, request, response}')
    .option('--port <number>', 'port of the server (default: a free one)')
    .action(async (flags: { approve?: boolean; json?: boolean; port?: string }) => {
      if (!flags.approve && !process.stdin.isTTY) {
        terminal.err('the demo waits for a person to approve, and there is no terminal here. Run: npm run demo -- --approve');
        process.exitCode = 2;
        return;
      }
      try {
        const { runDemo } = await import('../demo/demo.ts');
        await runDemo(terminal, { isApproving: flags.approve === true, isJson: flags.json === true, ...(flags.port ? { port: Number(flags.port) } : {}) });
      } catch (error) {
        process.exitCode = reportFailure(terminal, error, flags.json === true);
      }
    });
}
