import { z } from 'zod';

/** 22 base64url characters: 128 random bits (iam.md §2). */
const BODY = '[A-Za-z0-9_-]{22}';

/** An id of one noun, such as `rsv_` + 22 base64url characters. */
export const idOf = (prefix: string, noun: string) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_${BODY}$`), `must be the ${noun}’s id: ${prefix}_ and 22 characters`)
    .meta({ description: `Id of the ${noun} (${prefix}_…).` });

/** Ids of pools, templates and images may be readable (compute.md §2): `pool_h100-fra`. */
export const readableIdOf = (prefix: string, noun: string) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_[A-Za-z0-9._:-]{1,122}$`), `must be the ${noun}’s id, such as ${prefix}_…`)
    .meta({ description: `Id of the ${noun} (${prefix}_…).` });

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `30m`, `8h`, `3d`: one integer, one unit of s, m, h, d, no combinations (compute.md §2). */
export const Duration = z.string().regex(/^[1-9][0-9]{0,8}[smhd]$/, 'must be a whole number with a unit of s, m, h or d, such as 30m, 8h or 3d');

/** Milliseconds of a duration that `Duration` has accepted. */
export function durationMs(text: string): number {
  return Number(text.slice(0, -1)) * UNIT_MS[text.slice(-1) as keyof typeof UNIT_MS];
}

/** Epoch milliseconds. */
export const Instant = z.int().min(0).meta({ description: 'Epoch milliseconds.' });

export const IdempotencyKey = z
  .string()
  .regex(/^[A-Za-z0-9._:-]{1,128}$/, 'must be 1 to 128 of A-Z a-z 0-9 . _ : -')
  .meta({ description: 'Makes a retry the same request: the same key with the same input never acts twice.' });

// With the tag characters: they show nothing and carry whole hidden sentences.
const CONTROL_OR_HIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

/** One line of text a person may read before approving: no control, zero-width or bidirectional characters (iam.md §6). */
export const plainText = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((text) => !CONTROL_OR_HIDDEN.test(text), 'must not contain control, zero-width or direction-changing characters');

/** Words of an agent or a person, newline and tab allowed. */
export const wordsText = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((text) => !CONTROL_OR_HIDDEN.test(text.replace(/[\n\t]/g, '')), 'must not contain control, zero-width or direction-changing characters');

/** Answer of a list: newest first, `nextCursor` null at the end. */
export const page = <T extends z.ZodType>(item: T) => ({
  items: z.array(item),
  nextCursor: z.string().nullable().meta({ description: 'Pass as cursor for the next page; null at the end.' }),
});

/** Members that every list takes (compute.md §2). */
export const paging = {
  limit: z.int().min(1).max(200).optional().meta({ description: 'How many at most, 1 to 200 (default 50).' }),
  cursor: z.string().max(512).optional().meta({ description: "The previous page's nextCursor." }),
};

/** `mine` is the caller's own; in a delegated session the person's. */
export const scope = { scope: z.enum(['mine', 'all']).optional().meta({ description: "mine: your own (default); all: the organization's you may read." }) };
