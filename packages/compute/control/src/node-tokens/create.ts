import { durationMs } from '@kit/operation';
import type { EffectHandler } from '../handler.ts';
import { mintId } from '../ids.ts';
import type { PoolRow } from '../pools/store.ts';
import { findToken } from './resource.ts';
import { insertToken } from './store.ts';
import { tokenView } from './view.ts';

export const create: EffectHandler<'nodeTokens.create', PoolRow> = {
  card: (row, input) => ({
    summary: `Make a token with which ${input.uses} machines may join pool "${row.config.name}", good for ${input.expires}.`,
    facts: [
      { label: 'Pool', value: row.id },
      { label: 'Machines', value: String(input.uses) },
      { label: 'Good for', value: String(input.expires) },
    ],
  }),
  async run({ tx, plane, access, now }, input, { row }) {
    // defaults are written out by the schema
    const { uses, expires } = input as { uses: number; expires: string };
    const secret = `bcj_${Buffer.from(plane.randomBytes(32)).toString('base64url')}`;
    const token = await insertToken(tx, {
      id: mintId('ntk'),
      poolId: row.id,
      secret,
      uses,
      expiresAt: now + durationMs(expires),
      createdAt: now,
      createdBy: access.caller.identityId,
    });
    return { reply: { token: { ...tokenView(token), secret } }, objectId: token.id };
  },
  async answer(look, tokenId) {
    const found = await findToken(look, tokenId);
    return found && { reply: { token: tokenView(found.row) }, found };
  },
};
