import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { ApiError } from '@kit/operation';
import type { SimulatedGroup } from '@better-compute/node';
import { type Command, Option } from 'commander';
import { reportFailure } from './failure.ts';
import type { Terminal } from './terminal.ts';
import { untilStopped } from './until-stopped.ts';

interface Flags {
  url?: string[];
  token?: string;
  stateDir?: string;
  json?: boolean;
}

interface SimulateFlags extends Flags {
  gpus: string;
  product: string;
  count: string;
  namePrefix: string;
  nvlink: 'node' | 'group';
}

interface JoinFlags extends Flags {
  name?: string;
  label?: string[];
}

/** Host share of one simulated GPU: what the machines these products come in have. */
const VCPU_PER_GPU = 24;
const MEMORY_GIB_PER_GPU = 256;

const invalid = (message: string): ApiError => new ApiError('INVALID_INPUT', 400, message);

function urlsOf(terminal: Terminal, flags: Flags): string[] {
  const urls = flags.url ?? (terminal.env.BETTER_COMPUTE_URL === undefined ? [] : [terminal.env.BETTER_COMPUTE_URL]);
  if (urls.length === 0) throw invalid('--url: which server? (BETTER_COMPUTE_URL)');
  return urls;
}

/** A process list shows what is on a command line, so the environment may carry it. */
const tokenOf = (terminal: Terminal, flags: Flags): string | undefined => flags.token ?? terminal.env.BETTER_COMPUTE_NODE_TOKEN;

const stateHome = (terminal: Terminal): string => terminal.env.XDG_STATE_HOME ?? join(terminal.env.HOME ?? homedir(), '.local', 'state');

/** Where a real node keeps its key. */
const nodeDir = (terminal: Terminal, flags: Flags): string => resolve(terminal.cwd, flags.stateDir ?? join(stateHome(terminal), 'better-compute', 'node'));

function countOf(text: string, flag: string, max: number): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1 || count > max) throw invalid(`${flag}: a whole number from 1 to ${max}`);
  return count;
}

function groupOf(flags: SimulateFlags, joinToken: string | undefined): SimulatedGroup {
  const gpusPerNode = countOf(flags.gpus, '--gpus', 32);
  const memory = /-(\d+)GB$/.exec(flags.product);
  if (!memory) throw invalid('--product: model, form and memory, such as H100-SXM5-80GB');
  return {
    namePrefix: flags.namePrefix,
    nodes: countOf(flags.count, '--count', 1_000),
    gpusPerNode,
    product: flags.product,
    gpuMemoryGiB: Number(memory[1]),
    nvlink: flags.nvlink,
    vcpu: gpusPerNode * VCPU_PER_GPU,
    memoryGiB: gpusPerNode * MEMORY_GIB_PER_GPU,
    ...(joinToken === undefined ? {} : { joinToken }),
  };
}

function labelsOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw invalid(`--label ${pair}: as key=value`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

async function simulate(terminal: Terminal, flags: SimulateFlags): Promise<void> {
  const { simulatedNodesOf, startFleet } = await import('@better-compute/node');
  const stateDir = resolve(terminal.cwd, flags.stateDir ?? join('.better-compute', 'simulated'));
  const fleet = await startFleet({
    nodes: simulatedNodesOf(groupOf(flags, tokenOf(terminal, flags))),
    urls: urlsOf(terminal, flags),
    stateDir,
    complain: terminal.err,
  });
  const over = Promise.race([untilStopped(), fleet.ended]);
  const connected = fleet.ready.then(() => {
    const names = fleet.agents.map((agent) => agent.name).sort();
    if (flags.json) terminal.out(JSON.stringify({ ready: true, nodes: fleet.agents.map(({ name, nodeId }) => ({ name, nodeId })) }));
    else
      terminal.err(
        `${names.length} simulated ${names.length === 1 ? 'node' : 'nodes'} connected: ${names[0]} to ${names.at(-1)}. Ctrl-C ends them; their keys stay in ${stateDir}`,
      );
  });
  await Promise.race([connected.then(() => over), over]);
  fleet.stop();
  await fleet.ended;
}

async function joinHere(terminal: Terminal, flags: JoinFlags): Promise<void> {
  const { joinNode } = await import('@better-compute/node');
  const token = tokenOf(terminal, flags);
  if (token === undefined) throw invalid('--token: a token of `better-compute node token create` (BETTER_COMPUTE_NODE_TOKEN)');
  const stateDir = nodeDir(terminal, flags);
  const { hostname } = await import('node:os');
  const { state } = await joinNode({ url: urlsOf(terminal, flags)[0]!, token, name: flags.name ?? hostname(), labels: labelsOf(flags.label ?? []), stateDir });
  terminal.out(
    flags.json
      ? JSON.stringify({ node: { id: state.nodeId, name: state.name } })
      : `joined as ${state.name}, ${state.nodeId}; start its agent with: better-compute node run`,
  );
}

async function runHere(terminal: Terminal, flags: JoinFlags): Promise<void> {
  const { createHostDevices, StateFile, startAgent } = await import('@better-compute/node');
  const stateDir = nodeDir(terminal, flags);
  const { hostname } = await import('node:os');
  const file = await StateFile.open(stateDir, flags.name ?? hostname());
  if (!file) throw new ApiError('INVALID_CONFIG', 0, `this machine has not joined: better-compute node join --url URL --token TOKEN (looked in ${stateDir})`);
  const agent = await startAgent({ urls: urlsOf(terminal, flags), file, devices: createHostDevices(stateDir), complain: terminal.err });
  void agent.ready.then(() => terminal.err(`${agent.name} is connected as ${agent.nodeId}`));
  await Promise.race([untilStopped(), agent.ended]);
  agent.stop();
  if ((await agent.ended) === 'superseded') process.exitCode = 1;
}

const orReport =
  <F extends Flags>(terminal: Terminal, run: (terminal: Terminal, flags: F) => Promise<void>) =>
  async (flags: F): Promise<void> => {
    try {
      await run(terminal, flags);
    } catch (error) {
      process.exitCode = reportFailure(terminal, error, flags.json === true);
    }
  };

const addConnecting = (command: Command): Command =>
  command
    .option('--url <url...>', 'address of the server, or of several of its replicas (BETTER_COMPUTE_URL)')
    .option('--state-dir <folder>', 'where keys are kept');

/** The node agent (compute.md §4, §10). Its code is loaded when one of these runs, and not before. */
export function addNode(program: Command, terminal: Terminal): void {
  const node = program.command('node').description('Machines of pools: enrolment tokens, the agent, simulated machines.');
  addConnecting(node.command('simulate'))
    .description('Run simulated machines: the same agent over a fake device layer.')
    .option('--token <token>', 'enrolment token, one use a machine (better: BETTER_COMPUTE_NODE_TOKEN)')
    .option('--count <number>', 'how many machines', '1')
    .option('--gpus <number>', 'GPUs of each', '8')
    .option('--product <name>', 'what they are', 'H100-SXM5-80GB')
    .addOption(new Option('--nvlink <extent>', 'one NVLink domain a node, or one for the group').choices(['node', 'group']).default('node'))
    .option('--name-prefix <name>', 'names are this and a number', 'sim')
    .option('--json', 'print one JSON line when all are connected')
    .action(orReport(terminal, simulate));
  addConnecting(node.command('join'))
    .description('Join this machine to the pool of a token.')
    .option('--token <token>', 'enrolment token (better: BETTER_COMPUTE_NODE_TOKEN)')
    .option('--name <name>', 'name of the node (default: the host name)')
    .option('--label <key=value...>', 'labels that selectors can ask for')
    .option('--json', 'print the answer as JSON')
    .action(orReport(terminal, joinHere));
  addConnecting(node.command('run'))
    .description('Run the agent of this machine.')
    .option('--name <name>', 'name of the node (default: the host name)')
    .action(orReport(terminal, runHere));
}
