import { invalidInput } from '../refuse.ts';
import { limits } from '../limits.ts';

export interface Paging {
  limit?: number | undefined;
  cursor?: string | undefined;
}

const limitOf = (input: Paging): number => input.limit ?? limits.pageDefault;

/** The place in a list after which the next page begins: opaque to callers. */
const cursorText = (place: number | string): string => Buffer.from(JSON.stringify([place])).toString('base64url');

/** Undefined at the first page; a cursor that is none of ours is INVALID_INPUT. */
function placeOf(input: Paging): unknown {
  if (input.cursor === undefined) return undefined;
  try {
    const [place] = JSON.parse(Buffer.from(input.cursor, 'base64url').toString('utf8')) as [unknown];
    return place;
  } catch {
    throw invalidInput('cursor', 'must be the nextCursor of the previous page');
  }
}

/** A place that is a row's number, newest first. */
function numberAfter(input: Paging): number | undefined {
  const place = placeOf(input);
  if (place !== undefined && !Number.isSafeInteger(place)) throw invalidInput('cursor', 'must be the nextCursor of the previous page');
  return place as number | undefined;
}

/** For lists that are small and read whole: pages by id, so that a page never repeats a row when others come or go. */
export function pageOfAll<Row extends { id: string }>(rows: Row[], input: Paging): { items: Row[]; nextCursor: string | null } {
  const after = placeOf(input);
  if (after !== undefined && typeof after !== 'string') throw invalidInput('cursor', 'must be the nextCursor of the previous page');
  const from = after === undefined ? 0 : rows.findIndex((row) => row.id === after) + 1;
  const items = rows.slice(from, from + limitOf(input));
  const last = items.at(-1);
  return { items, nextCursor: last && from + items.length < rows.length ? cursorText(last.id) : null };
}

/**
 * Reads newest first and leaves out what `isReadable` does not let through, until the page is full or 1,000 rows were
 * looked at (compute.md §2, Lists).
 */
export async function pageOfRows<Row extends { number: number }>(
  input: Paging,
  read: (before: number | undefined, count: number) => Promise<Row[]>,
  isReadable: (row: Row) => boolean,
): Promise<{ items: Row[]; nextCursor: string | null }> {
  const items: Row[] = [];
  let before = numberAfter(input);
  for (let scanned = 0; scanned < limits.scanRowsMax; ) {
    const rows = await read(before, limits.scanRowsAtOnce);
    for (const row of rows) {
      if (items.length === limitOf(input)) return { items, nextCursor: cursorText(before!) };
      before = row.number;
      if (isReadable(row)) items.push(row);
    }
    scanned += rows.length;
    if (rows.length < limits.scanRowsAtOnce) return { items, nextCursor: null };
  }
  return { items, nextCursor: cursorText(before!) };
}
