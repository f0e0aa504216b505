import { expect, test } from 'vitest';
import { readAuthorization, readSessionCookie } from './credential.ts';

const folded = new Headers();
folded.append('authorization', 'Bearer one');
folded.append('authorization', 'Bearer two');

test.each([
  [new Headers(), 'none'],
  [new Headers({ authorization: 'Bearer abc' }), 'token'],
  [new Headers({ authorization: 'bEaReR   abc' }), 'token'],
  [new Headers({ authorization: 'Basic abc' }), 'malformed'],
  [new Headers({ authorization: 'Bearer abc def' }), 'malformed'],
  [new Headers({ authorization: 'Bearer abc,def' }), 'malformed'],
  [new Headers({ authorization: 'Bearer' }), 'malformed'],
  [new Headers({ authorization: '' }), 'malformed'],
  [new Headers({ authorization: `Bearer ${'a'.repeat(4097)}` }), 'malformed'],
  [folded, 'malformed'],
  [{ Authorization: 'Bearer abc' }, 'token'],
  [{ Authorization: 'Bearer abc', authorization: 'Bearer def' }, 'malformed'],
  [Object.create({ authorization: 'Bearer inherited' }) as Record<string, string>, 'none'],
] as [Headers | Record<string, string>, string][])('iam§3.2 one credential or a refusal (%#)', (headers, kind) => {
  expect(readAuthorization(headers).kind).toBe(kind);
});

test('iam§3.2 the session cookie is read by its exact name, and two of them are refused', () => {
  expect(readSessionCookie(new Headers({ cookie: 'a=1; better-iam.session=tok; b=2' }))).toEqual({ kind: 'token', token: 'tok' });
  expect(readSessionCookie(new Headers({ cookie: '__Host-better-iam.session=tok' }))).toEqual({ kind: 'token', token: 'tok' });
  expect(readSessionCookie(new Headers({ cookie: 'xbetter-iam.session=tok' })).kind).toBe('none');
  expect(readSessionCookie(new Headers({ cookie: 'better-iam.session=a; better-iam.session=b' })).kind).toBe('malformed');
  expect(readSessionCookie(new Headers({ cookie: 'better-iam.session=a,b' })).kind).toBe('malformed');
});

test('iam§3.2 on https the cookie a sibling subdomain could set neither counts nor spoils the real one', () => {
  const cookies = (cookie: string) => readSessionCookie(new Headers({ cookie }), { isSecure: true });
  expect(cookies('better-iam.session=planted')).toEqual({ kind: 'none' });
  expect(cookies('better-iam.session=planted; __Host-better-iam.session=own')).toEqual({ kind: 'token', token: 'own' });
});
