import { plainText } from '@kit/operation';
import { z } from 'zod';

/**
 * An id as input. Only its length is checked here: one that does not match its pattern is answered like one that does not exist (iam.md §2).
 */
export const ref = (noun: string, prefix: string) =>
  z
    .string()
    .min(1)
    .max(256)
    .meta({ description: `Id of the ${noun} (${prefix}_…).` });

export const Name = plainText(256).meta({ description: 'Shown to people.' });
export const Email = z
  .string()
  .max(254)
  // printable ASCII: what a person reads as an address has no second reading
  .regex(/^[!#-;=?A-~]{1,64}@[A-Za-z0-9.-]{1,189}$/, 'must be an e-mail address')
  .meta({ description: 'E-mail address; unique in the organization.' });
export const Password = z.string().min(12).max(256).meta({ description: '12 to 256 characters.' });
export const Slug = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{1,62}$/, 'must be 2 to 63 of a-z 0-9 and -, beginning with a letter or digit')
  .meta({ description: 'Short name of the organization, unique in the deployment.' });
export const Action = plainText(256).meta({ description: 'Action, such as compute:pools:read.' });
export const ActionPattern = plainText(512);
export const Instant = z.int().min(0).meta({ description: 'Epoch milliseconds.' });
export const Seconds = z.int().min(1).max(31_536_000);

/** Untrusted JSON for the policy parser, which names what is wrong with it (`INVALID_POLICY`). */
export const PolicyJson = z.record(z.string(), z.unknown()).meta({ description: 'Policy document: { version: 1, statements: […] }.' });

export const ResourceRef = z.strictObject({
  type: plainText(64).meta({ description: 'Type, such as compute-pool.' }),
  id: plainText(2048).meta({ description: 'Id of the resource.' }),
});
export type ResourceRef = z.output<typeof ResourceRef>;

/** Input of lists (iam.md §6, Paging). */
export const paging = {
  limit: z.int().min(1).max(200).optional().meta({ description: 'How many at most, 1 to 200 (default 50).' }),
  offset: z.int().min(0).max(1_000_000).optional().meta({ description: 'How many to leave out at the start.' }),
};

/** Answer of lists. */
export const listOf = <T extends z.ZodType>(item: T) => ({
  items: z.array(item),
  nextOffset: z.int().nullable().meta({ description: 'Pass as offset for the next page; null at the end.' }),
});
