import { notFound } from '../refuse.ts';
import { type Paging, pageOfAll } from './page.ts';

/**
 * For nouns whose drivers do not exist yet (compute.md §4.2): nothing makes one, so there is none to find, to list or to
 * change. What names one by id is NOT_FOUND before any of these is reached.
 */
export const findNone = async (): Promise<undefined> => undefined;

export const emptyPage = (input: Paging): { items: never[]; nextCursor: null } => ({ ...pageOfAll<never>([], input), nextCursor: null });

export const getNone = async (): Promise<never> => {
  throw notFound();
};

export const changeNone = { run: getNone, answer: findNone };
