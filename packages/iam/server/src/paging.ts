import { limits } from './limits.ts';

export interface PageInput {
  limit?: number | undefined;
  offset?: number | undefined;
}

/** One row more than asked for tells whether there is a next page. */
export const windowOf = (input: PageInput): { take: number; skip: number } => ({ take: (input.limit ?? limits.pageDefault) + 1, skip: input.offset ?? 0 });

export function pageOf<Row, Item>(rows: Row[], input: PageInput, itemOf: (row: Row) => Item): { items: Item[]; nextOffset: number | null } {
  const limit = input.limit ?? limits.pageDefault;
  return { items: rows.slice(0, limit).map(itemOf), nextOffset: rows.length > limit ? (input.offset ?? 0) + limit : null };
}
