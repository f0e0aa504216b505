import type { InputOf, OutputOf } from '@kit/operation';
import type { Call } from '../call.ts';
import { limits } from '../limits.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { pageOf, windowOf } from '../paging.ts';
import { liveSessions, sessionOf } from './store.ts';

type ListSessions = OperationOf<'auth.listSessions'>;

export async function listSessions(call: Call, input: InputOf<ListSessions>): Promise<OutputOf<ListSessions>> {
  const { take, skip } = windowOf(input);
  const rows = await liveSessions(call.tx, call.principal.identity.id, call.now, limits.sessionIdleMs, take, skip);
  return pageOf(rows, input, (row) => sessionOf(row, call.principal.bearer.id));
}
