import { createIamClient } from '@better-iam/client';
import { remoteMcpIam } from '@better-compute/mcp';
import { describe, expect, test } from 'vitest';

describe('iam§20 a client with a credential of its own is refused at construction: every caller would act as it', () => {
  const baseURL = 'https://iam.example.com';
  const refused = expect.objectContaining({ code: 'INVALID_CONFIG', message: expect.stringContaining('credential') });

  test.each([
    ['a token', { token: 'tok_operator' }],
    ['an authorization header', { headers: { Authorization: 'Bearer tok_operator' } }],
    ['an authorization header made for each call', { headers: () => ({ authorization: 'Bearer tok_operator' }) }],
    ['a cookie', { headers: { cookie: 'better-iam.session=x' } }],
  ])('%s', (_name, options) => {
    expect(() => remoteMcpIam(createIamClient({ baseURL, ...options }))).toThrow(refused);
  });

  test('one without is taken, whatever else it sends', () => {
    expect(remoteMcpIam(createIamClient({ baseURL, headers: { 'x-proxy': '1' } }))).toHaveProperty('authorize');
  });
});
