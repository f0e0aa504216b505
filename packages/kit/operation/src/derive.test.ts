import { expect, test } from 'vitest';
import { auditOf } from './audit.ts';
import { commandOf, kebab, valueOf } from './command.ts';
import { openApiOf } from './openapi.ts';
import { referenceOf } from './reference.ts';
import { burn, follow, lend, library, list } from './sample.ts';
import { refusal, routesOf, service } from './service.ts';
import { type ToolDefinition, toolsOf } from './tool.ts';

test('issue2.2 an operation is a frozen value, its route follows from its id, and nothing inherited is a route', () => {
  expect(Object.isFrozen(lend)).toBe(true);
  const routes = routesOf(library);
  expect(routes.get('/api/library/books/lend')).toBe(lend);
  for (const name of ['constructor', '__proto__', 'toString']) expect(routes.get(`/api/library/books/${name}`)).toBeUndefined();
  expect(() => service({ ...library, operations: [lend, lend] })).toThrow('books.lend');
});

test('issue2.2 the tool has the arguments of the input without what an agent never sets', () => {
  const [tool] = toolsOf(lend) as [ToolDefinition];
  expect(Object.keys(tool.entry.inputSchema.properties as object).sort()).toEqual(['bookId', 'copies', 'duration', 'idempotencyKey', 'tags']);
  expect(tool.entry.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
  expect(tool.entry.inputSchema).not.toHaveProperty('$schema');
  expect(tool.entry.outputSchema).not.toHaveProperty('required');
  expect(Object.keys((tool.entry.outputSchema as { properties: object }).properties)).toEqual([
    'idempotencyKey',
    'loan',
    'status',
    'confirmationId',
    'message',
    'approvalUrl',
    'error',
  ]);
  expect(tool.entry.annotations).toEqual({ readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false });
  expect(toolsOf(burn)).toEqual([]);
  expect(Object.keys(toolsOf(list)[0]!.entry.inputSchema.properties as object)).toEqual(['limit', 'cursor', 'scope']);
});

test('issue2.2 the CLI verb follows from the id, with flags in kebab case and values of the right kind', () => {
  const command = commandOf(lend)!;
  expect(command.path).toEqual(['books', 'lend']);
  expect(command.positional.map((o) => o.name)).toEqual(['bookId']);
  const flags = Object.fromEntries(command.options.map((o) => [o.flag, o]));
  expect(Object.keys(flags)).toEqual(['--duration', '--copies', '--tags', '--tenant-id', '--idempotency-key', '--note']);
  expect(valueOf(flags['--copies']!, '3')).toBe(3);
  expect(valueOf(flags['--copies']!, 'three')).toBe('three');
  expect(valueOf(flags['--tags']!, 'a,b')).toEqual(['a', 'b']);
  expect(commandOf(follow)).toBeUndefined();
});

test('issue2.2 OpenAPI 3.1 has every operation with its schema, refusals and examples', () => {
  const api = openApiOf(library, { title: 'Library', version: '1' }) as { openapi: string; paths: Record<string, { post: Record<string, any> }> };
  expect(api.openapi).toBe('3.1.0');
  expect(Object.keys(api.paths)).toEqual(['/api/library/books/lend', '/api/library/books/list', '/api/library/books/burn', '/api/library/books/follow']);
  const post = api.paths['/api/library/books/lend']!.post;
  expect(post.requestBody.content['application/json'].schema.required).toEqual(['bookId', 'duration']);
  expect(post.responses['409'].description).toBe('TAKEN');
  expect(post.requestBody.content['application/json'].examples['A week'].value.duration).toBe('7d');
  expect(api.paths['/api/library/books/follow']!.post.responses['200'].content).toHaveProperty('text/event-stream');
});

test('issue2.2 the audit keeps named fields by value and every other one as present', () => {
  expect(auditOf(lend, { bookId: 'book_x', note: 'secret words', duration: '7d', copies: undefined })).toEqual({
    operation: 'books.lend',
    fields: { bookId: 'book_x' },
    present: ['duration', 'note'],
  });
});

test('issue2.2 the reference page tells route, verb, tool, members and refusals', () => {
  const page = referenceOf(library, 'Library');
  for (const text of [
    'POST /api/library/books/lend',
    'better-compute books lend <bookId>',
    'MCP tool `lend_book`',
    '`TAKEN`',
    '| `duration` |',
    '"duration": "7d"',
  ])
    expect(page).toContain(text);
});

test('issue2.2 a refusal takes its status from the one table, and an unknown code is our fault', () => {
  expect(refusal(library, 'TAKEN', 'no')).toMatchObject({ code: 'TAKEN', status: 409 });
  expect(() => refusal(library, 'toString', 'no')).toThrow('toString is not a code');
});

test('issue2.2 an action, a code or an audited field that the contract does not know does not compile', () => {
  // compiled by `tsc`, never run: each line below must be an error
  const never = (): void => {
    // @ts-expect-error books.lend has no such field to audit
    void ({ ...lend, audit: ['nothing'] } satisfies { audit: readonly ('bookId' | 'duration')[] });
  };
  expect(never).toBeTypeOf('function');
});

test('issue2.2 a flag is the name in kebab case, units kept whole', () => {
  expect(['poolId', 'durationSeconds', 'memoryGiB', 'diskMiB'].map(kebab)).toEqual(['pool-id', 'duration-seconds', 'memory-gib', 'disk-mib']);
});
