import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import { limits } from '../limits.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { listEvents } from './store.ts';

type List = OperationOf<'audit.list'>;

/** `*` and `?` of a glob as LIKE has them; everything LIKE would read otherwise is taken literally. */
const likeOf = (glob: string): string =>
  glob
    .replace(/[\\%_]/g, '\\$&')
    .replaceAll('*', '%')
    .replaceAll('?', '_');

export async function listAudit(call: Call, input: InputOf<List>): Promise<OutputOf<List>> {
  await call.require('iam:audit:read');
  const limit = input.limit ?? limits.pageDefault;
  const events = await listEvents(call.tx, call.tenantId, {
    actionLike: input.action === undefined ? null : likeOf(input.action),
    actorId: input.actorId ?? null,
    delegationId: input.delegationId ?? null,
    outcome: input.outcome ?? null,
    from: input.from ?? null,
    to: input.to ?? null,
    before: input.beforeSequence ?? null,
    take: limit + 1,
  });
  const items = events.slice(0, limit);
  return { items, nextBefore: events.length > limit ? (items.at(-1)?.sequence ?? null) : null };
}
