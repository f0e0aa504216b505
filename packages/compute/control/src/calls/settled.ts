import type { EffectHandler } from '../handler.ts';
import { lookAt, type Plane } from '../plane.ts';
import type { Call } from './call.ts';
import type { Outcome } from './outcome.ts';

type AnyEffect = EffectHandler<any, any>;

/** The reply, after the wait that was asked for: the object as it then is, and running out is no error (compute.md §2.2). */
export async function settled(plane: Plane, call: Call, outcome: Exclude<Outcome, { refusal: unknown }>): Promise<unknown> {
  const handler = call.handler as AnyEffect;
  const id = typeof handler === 'function' ? undefined : handler.waitsFor?.(outcome.reply as never);
  const until = performance.now() + (call.input.wait?.timeoutMs ?? 0);
  if (id === undefined || performance.now() >= until) return outcome.reply;
  const { signal, access } = call.context;
  const waiter = plane.waits.open(id);
  try {
    for (;;) {
      const look = await lookAt(plane, access.tenantId!);
      const reply = (await handler.answer(look, outcome.objectId!, outcome.detail))?.reply ?? outcome.reply;
      const leftMs = until - performance.now();
      if (handler.waitsFor!(reply as never) === undefined || leftMs <= 0 || signal.aborted) return reply;
      await waiter.next(leftMs, signal);
    }
  } finally {
    waiter.close();
  }
}
