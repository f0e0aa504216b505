import type { EffectHandler } from '../handler.ts';
import { findToken } from './resource.ts';
import { revokeToken, type TokenRow } from './store.ts';
import { tokenView } from './view.ts';

export const revoke: EffectHandler<'nodeTokens.revoke', TokenRow> = {
  card: (row) => ({ summary: `Make enrolment token ${row.id} useless.`, facts: [{ label: 'Pool', value: row.poolId }] }),
  isDone: (row) => row.revokedAt !== null,
  async run({ tx, now }, _input, { row }) {
    return { reply: { token: tokenView(await revokeToken(tx, row.id, now)) }, objectId: row.id };
  },
  async answer(look, tokenId) {
    const found = await findToken(look, tokenId);
    return found && { reply: { token: tokenView(found.row) }, found };
  },
};
