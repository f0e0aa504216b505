import { mintId } from '../ids.ts';
import type { PoolTx } from '../ledger/pool-tx.ts';
import { lockTokenBySecret, useToken } from '../node-tokens/store.ts';
import type { Plane } from '../plane.ts';
import { refuse } from '../refuse.ts';
import type { JoinInput } from './protocol/node-store.ts';
import { insertNode, readNodeByKey } from './store.ts';

/**
 * Takes a machine into the pool of its token (compute.md §4.1). A node that has joined with the same key is answered
 * again without using the token up: its first answer may have been lost. Throws UNAUTHENTICATED.
 */
export async function joinNode(plane: Plane, input: JoinInput): Promise<{ nodeId: string }> {
  const token = await lockTokenBySecret(plane.database, input.token);
  if (!token) throw badToken();
  return plane.lanes.run(token.poolId, {
    prepare: async () => undefined,
    act: async (_tx, pool) => {
      // the pool was deleted, and its tokens with it
      if (!pool) throw badToken();
      return { nodeId: await join(plane, pool, input) };
    },
  });
}

async function join(plane: Plane, pool: PoolTx, { token: secret, name, publicKey, labels }: JoinInput): Promise<string> {
  const { tx, now } = pool;
  const token = await lockTokenBySecret(tx, secret);
  if (!token || token.revokedAt !== null || token.expiresAt <= now) throw badToken();
  const known = await readNodeByKey(tx, publicKey);
  if (known?.poolId === token.poolId && known.state !== 'removed') return known.id;
  if (known || token.usesLeft === 0) throw badToken();
  const id = mintId('node');
  await useToken(tx, token.id);
  await insertNode(tx, { id, poolId: token.poolId, tokenId: token.id, name, publicKey, labels, seq: pool.nextNodeSeq(), now });
  pool.note({ objectId: id, from: 'unknown', to: 'joining', cause: 'join', by: token.createdBy, at: now });
  return id;
}

/** One answer for an unknown, used-up, expired or revoked token, and for a key that belongs elsewhere. */
const badToken = () => refuse('UNAUTHENTICATED', 'this token lets nobody join: ask for a new one');
