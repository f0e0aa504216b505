import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listen } from './listen.ts';

/** Made for this test alone; nobody trusts them. */
const certificate = (name: string) => ({
  cert: readFileSync(join(import.meta.dirname, 'testing', `${name}.cert.pem`)),
  key: readFileSync(join(import.meta.dirname, 'testing', `${name}.key.pem`)),
});

const servedName = (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const call = request({ port, host: '127.0.0.1', rejectUnauthorized: false, agent: false }, (response) => {
      resolve(String((response.socket as TLSSocket).getPeerCertificate().subject.CN));
      response.resume();
    });
    call.on('error', reject);
    call.end();
  });

test('product§4 https from own certificate files, and the new ones after a renewal without a restart', async () => {
  const listening = await listen({ host: '127.0.0.1', port: 0, tls: certificate('one'), fetch: () => new Response('ok') });
  expect(await servedName(listening.port)).toBe('one.test');
  listening.renew(certificate('two'));
  expect(await servedName(listening.port)).toBe('two.test');
  await listening.drain(0);
});
