import { randomFillSync } from 'node:crypto';

const BLOCK_BYTES = 4096;

let block = Buffer.alloc(0);

/** So many random bytes for an id, out of a block: asking the system for each id costs more than all else about it. Not for secrets, as a block stays in memory. */
export function idBytes(length: number): Uint8Array {
  if (block.length < length) block = randomFillSync(Buffer.allocUnsafe(BLOCK_BYTES));
  const bytes = block.subarray(0, length);
  block = block.subarray(length);
  return bytes;
}
