import type { NodeToken } from '@better-compute/contract';
import type { TokenRow } from './store.ts';

export function tokenView(row: TokenRow): NodeToken {
  const { number: _number, revokedAt, ...shown } = row;
  return { ...shown, ...(revokedAt === null ? {} : { revokedAt }) };
}
