import { type Agent, startAgent } from '../agent/agent.ts';
import { StateFile } from '../identity/state-file.ts';
import { joinNode } from '../join/join.ts';
import { limits } from '../limits.ts';
import { invalidConfig } from '../refusal.ts';
import type { SimulatedNode } from './spec.ts';

/** Nobody should take such a node for a machine, and a selector can leave it out. */
const LABELS = { 'better-compute.dev/simulated': 'true' };

export interface FleetOptions {
  nodes: readonly SimulatedNode[];
  urls: readonly string[];
  stateDir: string;
  random?(): number;
  complain?(text: string): void;
}

export interface Fleet {
  readonly agents: readonly Agent[];
  /** The plane has accepted the hello of each. */
  readonly ready: Promise<void>;
  readonly ended: Promise<void>;
  stop(): void;
}

/** Joins what has not joined yet and runs an agent for each, all on this process's one event loop. Throws the first refusal. */
export async function startFleet(o: FleetOptions): Promise<Fleet> {
  const waiting = [...o.nodes];
  const agents: Agent[] = [];
  const work = async (): Promise<void> => {
    for (let node = waiting.shift(); node; node = waiting.shift()) agents.push(await startNode(o, node));
  };
  try {
    await Promise.all(Array.from({ length: limits.joinsAtOnce }, work));
  } catch (error) {
    waiting.length = 0;
    for (const agent of agents) agent.stop();
    throw error;
  }
  return {
    agents,
    ready: Promise.all(agents.map((agent) => agent.ready)).then(() => {}),
    ended: Promise.all(agents.map((agent) => agent.ended)).then(() => {}),
    stop: () => {
      for (const agent of agents) agent.stop();
    },
  };
}

async function startNode({ urls, stateDir, random, complain }: FleetOptions, { name, joinToken, devices }: SimulatedNode): Promise<Agent> {
  const file =
    joinToken === undefined ? await StateFile.open(stateDir, name) : await joinNode({ url: urls[0]!, token: joinToken, name, labels: LABELS, stateDir });
  if (!file || file.state.nodeId === null) throw invalidConfig(`${name} has not joined and there is no token for it`);
  return await startAgent({ urls, file, devices, ...(random ? { random } : {}), ...(complain ? { complain } : {}) });
}
