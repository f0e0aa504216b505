import type { CallContext } from '@kit/http';
import { type Operation, refusalOf } from '@kit/operation';
import { StoreUnavailable } from '@kit/store';
import { lockBook } from './budgets/book-store.ts';
import { act } from './calls/act.ts';
import { type Call, callOf } from './calls/call.ts';
import { type Opened, openCall } from './calls/open.ts';
import type { Outcome } from './calls/outcome.ts';
import { settled } from './calls/settled.ts';
import { mayBeHeld } from './calls/target.ts';
import type { EffectHandler } from './handler.ts';
import type { Work } from './ledger/work.ts';
import { limits } from './limits.ts';
import type { Plane } from './plane.ts';
import { refuse } from './refuse.ts';

/**
 * The order of a call (compute.md §3.4): parse → tenant → key → resolve → decide → one transaction → reply.
 * From `prepare` to the end of `act` it is that one transaction: an approval is spent, its effect, the audit event, the
 * key's record and the outbox are written together or not at all.
 */
export const createInvoke =
  (plane: Plane) =>
  async (op: Operation, raw: Record<string, unknown>, context: CallContext): Promise<unknown> => {
    const call = callOf(op, raw, context);
    const effect = typeof call.handler === 'function' ? undefined : call.handler;
    const work: Work<Opened, Outcome> = {
      prepare: (tx) => openCall(plane, tx, call),
      act: async (tx, pool, { access, isEveryTenant, memory, now: early }) => {
        const now = pool?.now ?? early ?? (await plane.now(tx));
        const platformTenantId = await plane.platformTenantId();
        return act({ plane, tx, pool, access, isEveryTenant, tenantId: access.tenantId, platformTenantId, now }, call, memory);
      },
      ...(effect?.isCharged ? { lock: async (tx, { access }) => (await lockBook(tx, access.tenantId)) === undefined } : {}),
      // a hold or a repeat is about what the database says
      isEarly: ({ access, memory }) => effect?.isEarly === true && !mayBeHeld(access) && memory.record === undefined && !plane.budgets.has(access.tenantId),
      order: ({ access }) => access.tenantId,
    };
    try {
      const lane = await laneOf(plane, call);
      const outcome = await (lane === undefined ? alone(plane, work) : plane.lanes.run(lane, work));
      if ('refusal' in outcome) throw outcome.refusal;
      return await settled(plane, call, outcome);
    } catch (error) {
      throw error instanceof StoreUnavailable ? refuse('UNAVAILABLE', 'the store cannot be reached: try again', undefined, limits.storeRetryMs) : error;
    }
  };

const laneOf = async (plane: Plane, { handler, input }: Call): Promise<string | undefined> =>
  typeof handler === 'function' ? undefined : (handler as EffectHandler<any, any>).lane?.(plane, input);

/** A transaction of its own. A refusal commits what led to it, as in a lane. */
const alone = (plane: Plane, work: Work<Opened, Outcome>): Promise<Outcome> =>
  plane.database.transaction(async (tx) => {
    try {
      return await work.act(tx, undefined, await work.prepare(tx));
    } catch (error) {
      if (!refusalOf(error)) throw error;
      return { refusal: error };
    }
  });
