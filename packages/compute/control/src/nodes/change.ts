import type { EffectHandler, Out } from '../handler.ts';
import { findNode } from './resource.ts';
import { type NodeRow, readNode } from './store.ts';
import { nodeView } from './view.ts';

type Change = 'nodes.drain' | 'nodes.undrain' | 'nodes.remove';

/** What the three changes of a node have in common: its pool orders them, and the answer is the node. */
export const nodeChange = {
  lane: async ({ database }, input) => (await readNode(database, input.nodeId))?.poolId,
  async answer(look, nodeId) {
    const found = await findNode(look, nodeId);
    return found && { reply: { node: nodeView(found.row) }, found };
  },
} satisfies Pick<EffectHandler<Change, NodeRow>, 'lane' | 'answer'>;

export const nodeEffect = (row: NodeRow): { reply: Out<Change>; objectId: string } => ({ reply: { node: nodeView(row) }, objectId: row.id });
