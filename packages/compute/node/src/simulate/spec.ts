import { createSimulatedDevices, type SimulatedDevices } from '../devices/simulated.ts';
import { limits } from '../limits.ts';
import { invalidInput } from '../refusal.ts';

/** Machines of one kind: `{namePrefix}-01`, `-02` … */
export interface SimulatedGroup {
  namePrefix: string;
  nodes: number;
  gpusPerNode: number;
  /** Such as `H100-SXM5-80GB`; the model is what stands before the first dash. */
  product: string;
  gpuMemoryGiB: number;
  /** One NVLink domain over all nodes of the group, or one per node. */
  nvlink: 'group' | 'node';
  vcpu: number;
  memoryGiB: number;
  /** Only for names that have not joined yet. */
  joinToken?: string;
}

export interface SimulatedNode {
  name: string;
  joinToken: string | undefined;
  devices: SimulatedDevices;
}

const isCount = (value: unknown, max: number): value is number => Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= max;
const isAmount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0;

function problemOf(group: Partial<SimulatedGroup> | null): keyof SimulatedGroup | undefined {
  const checks: Record<keyof SimulatedGroup, boolean> = {
    namePrefix: typeof group?.namePrefix === 'string' && group.namePrefix !== '',
    nodes: isCount(group?.nodes, limits.simulatedNodesMax),
    gpusPerNode: isCount(group?.gpusPerNode, limits.gpusMax),
    product: typeof group?.product === 'string' && group.product !== '',
    gpuMemoryGiB: isAmount(group?.gpuMemoryGiB),
    nvlink: group?.nvlink === 'group' || group?.nvlink === 'node',
    vcpu: isAmount(group?.vcpu),
    memoryGiB: isAmount(group?.memoryGiB),
    joinToken: group?.joinToken === undefined || typeof group.joinToken === 'string',
  };
  return (Object.keys(checks) as (keyof SimulatedGroup)[]).find((member) => !checks[member]);
}

/** Reads `{groups: [...]}`. Throws INVALID_INPUT that names the first bad member. */
export function groupsOf(text: string): SimulatedGroup[] {
  let spec: { groups?: unknown } | null;
  try {
    spec = JSON.parse(text) as { groups?: unknown } | null;
  } catch {
    throw invalidInput('the specification is not JSON');
  }
  if (!Array.isArray(spec?.groups)) throw invalidInput('groups: must be a list');
  const groups = spec.groups as SimulatedGroup[];
  for (const [i, group] of groups.entries()) {
    const problem = problemOf(group);
    if (problem) throw invalidInput(`groups[${i}].${problem}: is missing or out of range`);
  }
  return groups;
}

export const simulatedNodesOf = (group: SimulatedGroup): SimulatedNode[] =>
  Array.from({ length: group.nodes }, (_, i) => ({
    name: `${group.namePrefix}-${String(i + 1).padStart(2, '0')}`,
    joinToken: group.joinToken,
    devices: createSimulatedDevices({
      gpus: group.gpusPerNode,
      product: group.product,
      gpuMemoryGiB: group.gpuMemoryGiB,
      nvlinkDomain: group.nvlink === 'group' ? `nvl-${group.namePrefix}` : null,
      vcpu: group.vcpu,
      memoryGiB: group.memoryGiB,
    }),
  }));
