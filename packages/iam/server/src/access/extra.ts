import type { ContextValue } from '@better-iam/core';
import type { Plane } from '../plane.ts';
import { refuse } from '../refuse.ts';
import type { Principal } from '../state/principal.ts';
import { callerOf } from './caller.ts';

/** The deployment's own condition keys, for every decision of one call. Throws where it failed to give them: each decision has then failed. */
export type ExtraKeys = () => Readonly<Record<string, ContextValue>>;

interface From {
  tenantId: string;
  requestId: string;
  clientIp: string | undefined;
}

/**
 * Asks once for a call (iam.md §8.2); undefined where the deployment has none to give. What goes wrong shows when something is decided, so that what
 * needs no decision, such as a person's own revocation, still works.
 */
export async function extraKeysOf({ resolveContext }: Plane, principal: Principal, { tenantId, requestId, clientIp }: From): Promise<ExtraKeys | undefined> {
  if (!resolveContext) return undefined;
  try {
    const given: unknown = await resolveContext({ caller: callerOf(principal), tenantId, requestId, ...(clientIp === undefined ? {} : { clientIp }) });
    if (given === undefined) return undefined;
    if (!isPlain(given)) throw new TypeError('resolveContext must answer a plain object, or undefined');
    // a copy: what was asked for once is not changed between two decisions
    const keys = { ...given } as Record<string, ContextValue>;
    return () => keys;
  } catch (cause) {
    return () => {
      throw refuse('INTERNAL_ERROR', 'resolveContext failed', { cause });
    };
  }
}

function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
