import { expect, test } from 'vitest';
import { draftOf, readLeft } from './left-now.ts';

const answering = (status: number, body: unknown, seen: Request[] = []) =>
  (async (url: string, init: RequestInit) => {
    seen.push(new Request(new URL(url, 'https://compute.test'), init));
    return Response.json(body, { status });
  }) as unknown as typeof fetch;
const read = (fetch: typeof globalThis.fetch) => readLeft('drf_1', { fetch, signal: new AbortController().signal });
const budget = { budgetId: 'bdg_1', text: "The person's budget of 10 GPU-hours a day has 4 left now, 1 after this." };

test('iam§17.8 what is left is asked for by the held request, with the page’s own session', async () => {
  const seen: Request[] = [];
  const left = { at: 5, budgets: [budget], fitsNow: true };
  expect(await read(answering(200, { data: { left } }, seen))).toEqual(left);
  expect([seen[0]!.method, new URL(seen[0]!.url).pathname, seen[0]!.headers.get('x-better-iam')]).toEqual(['POST', '/api/compute/budgets/left', '1']);
  expect(await seen[0]!.json()).toEqual({ draftId: 'drf_1' });
});

test('iam§17.8 nothing is shown where there is nothing to tell, or it is not told to this person', async () => {
  expect(await read(answering(200, { data: { left: { at: 5, budgets: [], fitsNow: null } } }))).toBeNull();
  expect(await read(answering(404, { error: { code: 'NOT_FOUND', message: 'no' } }))).toBeNull();
});

test('iam§17.8 only a request that waits and takes something is asked about', () => {
  const of = (id: string) => ({ resource: { type: 'compute-reservation', id } }) as Parameters<typeof draftOf>[0];
  expect(draftOf(of('drf_1'), 'pending')).toBe('drf_1');
  expect(draftOf(of('drf_1'), 'approved')).toBeUndefined();
  expect(draftOf(of('rsv_1'), 'pending')).toBeUndefined();
});
