import { z } from 'zod';
import { Duration, idOf, page, paging, scope } from './fields.ts';
import { draft, object, operationForm, rows } from './operation.ts';
import { service } from './service.ts';

const operation = operationForm<'TAKEN', 'library:books:lend' | 'library:books:read'>();
const Book = z.object({ id: z.string(), title: z.string() });

/** A small service for the tests of the derivations. */
export const lend = operation({
  id: 'books.lend',
  summary: 'Lend a book for a time.',
  effect: 'write',
  key: 'mint',
  canBeHeld: true,
  input: {
    bookId: idOf('book', 'book'),
    duration: Duration.meta({ description: 'For how long.' }),
    copies: z.int().min(1).max(8).optional(),
    tags: z.array(z.string()).optional(),
  },
  output: { loan: z.object({ id: z.string() }) },
  errors: ['TAKEN'],
  action: 'library:books:lend',
  on: draft('book'),
  audit: ['bookId'],
  tool: { name: 'lend_book', hints: { readOnly: false, destructive: false, idempotent: true }, onHold: 'result', gate: 'any' },
  command: { positional: ['bookId'] },
  examples: [{ title: 'A week', input: { bookId: 'book_AAAAAAAAAAAAAAAAAAAAAA', duration: '7d' } }],
});

export const list = operation({
  id: 'books.list',
  summary: 'The books.',
  effect: 'read',
  input: { ...paging, ...scope },
  output: page(Book),
  action: 'library:books:read',
  on: rows('book'),
  tool: {
    name: 'list_books',
    hints: { readOnly: true, destructive: false, idempotent: false },
    onHold: 'error',
    gate: { action: 'library:books:read', type: 'shelf', id: 'all' },
  },
});

export const burn = operation({
  id: 'books.burn',
  summary: 'Burn a book.',
  effect: 'destroy',
  key: 'take',
  input: { bookId: idOf('book', 'book') },
  output: { book: Book },
  action: 'library:books:lend',
  on: object('book', (input: { bookId: string }) => input.bookId),
});

export const follow = operation({ id: 'books.follow', summary: 'Follow the books.', effect: 'read', output: {}, events: Book, command: false });

export const library = service({
  name: 'library',
  basePath: '/api/library',
  codes: { TAKEN: 409, INVALID_INPUT: 400, NOT_FOUND: 404 },
  operations: [lend, list, burn, follow],
  bodyBytesMax: 1_000,
});
