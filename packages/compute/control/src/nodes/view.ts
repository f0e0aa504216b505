import type { Node } from '@better-compute/contract';
import type { NodeRow } from './store.ts';

export function nodeView(row: NodeRow): Node {
  const { number: _number, publicKey: _key, returnsTo: _returns, generation: _generation, seq: _seq, inventory, ...shown } = row;
  return { ...shown, ...(inventory ?? { gpus: [], vcpu: 0, memoryGiB: 0, diskGiB: 0 }) };
}
