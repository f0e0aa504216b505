import { IdempotencyKey, wordsText } from '@kit/operation';
import { z } from 'zod';
import { limits } from './limits.ts';

/** What `operation()` adds to an input, for commands whose arguments are not the input's. */
export const callMembers = {
  tenantId: z.string().max(64).optional().meta({ description: "The organization to act in; default: the credential's own." }),
  idempotencyKey: IdempotencyKey.optional(),
  note: wordsText(limits.noteMax).optional().meta({ description: 'Your words to the person who may have to approve.' }),
};

/** Those of them that were given. */
export function givenOf(a: { tenantId?: string | undefined; idempotencyKey?: string | undefined; note?: string | undefined }) {
  return {
    ...(a.tenantId === undefined ? {} : { tenantId: a.tenantId }),
    ...(a.idempotencyKey === undefined ? {} : { idempotencyKey: a.idempotencyKey }),
    ...(a.note === undefined ? {} : { note: a.note }),
  };
}
