import type { Command } from 'commander';
import { readAgentKey, runBridge } from '../bridge/stdio.ts';
import { reportFailure } from './failure.ts';
import type { Terminal } from './terminal.ts';

/** `better-compute mcp`: the stdio bridge for MCP hosts that start a command. */
export function addMcp(program: Command, terminal: Terminal): void {
  program
    .command('mcp')
    .description("Stdio bridge for desktop MCP hosts: acts as the agent, inside one person's delegation.")
    .requiredOption('--url <url>', 'address of the server, or of its MCP endpoint')
    .requiredOption('--delegation <id>', 'the delegation to act under (dlg_…)')
    .option('--key-file <file>', "file of mode 600 with the agent's API key (default: BETTER_COMPUTE_AGENT_KEY)")
    .action(async (flags: { url: string; delegation: string; keyFile?: string }) => {
      try {
        await runBridge({
          url: flags.url,
          delegationId: flags.delegation,
          agentKey: readAgentKey(terminal.env, flags.keyFile),
          input: process.stdin,
          output: process.stdout,
          error: terminal.err,
        });
      } catch (error) {
        process.exitCode = reportFailure(terminal, error, false);
      }
    });
}
