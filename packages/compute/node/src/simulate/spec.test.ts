import { expect, test } from 'vitest';
import { groupsOf, simulatedNodesOf } from './spec.ts';

const group = { namePrefix: 'h100', nodes: 2, gpusPerNode: 4, product: 'H100-SXM5-80GB', gpuMemoryGiB: 80, nvlink: 'node', vcpu: 96, memoryGiB: 1024 };

test('compute§4 a group is so many nodes, each a domain of its own or all of them one', async () => {
  const domains = async (nvlink: string): Promise<(string | null)[]> => {
    const nodes = groupsOf(JSON.stringify({ groups: [{ ...group, nvlink }] })).flatMap(simulatedNodesOf);
    expect(nodes.map((node) => node.name)).toEqual(['h100-01', 'h100-02']);
    const facts = await Promise.all(nodes.map((node, i) => node.devices.probe(`node_${i}`)));
    expect(facts[0]!.inventory).toMatchObject({ vcpu: 96, memoryGiB: 1024 });
    return [...new Set(facts.flatMap(({ inventory }) => inventory.gpus.map((gpu) => gpu.nvlinkDomain)))];
  };
  expect(await domains('node')).toEqual(['nvl-node_0', 'nvl-node_1']);
  expect(await domains('group')).toEqual(['nvl-h100']);
});

test('compute§4 a specification that is none names the member', () => {
  const problem = (text: string): string => {
    try {
      groupsOf(text);
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(problem('{')).toContain('JSON');
  expect(['null', '{}', '{"groups":{}}'].map(problem)).toEqual(Array(3).fill('groups: must be a list'));
  const changes = [
    { nodes: 1_001 },
    { nodes: 1.5 },
    { gpusPerNode: 33 },
    { product: '' },
    { nvlink: 'both' },
    { vcpu: -1 },
    { joinToken: 1 },
    { namePrefix: undefined },
  ];
  for (const change of changes) expect(problem(JSON.stringify({ groups: [group, { ...group, ...change }] }))).toContain(`groups[1].${Object.keys(change)[0]}:`);
  expect(problem('{"groups":[null]}')).toContain('groups[0].namePrefix');
});
