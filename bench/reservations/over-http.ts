import { Agent, request } from 'node:http';
import { requestIn } from './create.ts';

/** Callers with connections of their own that stay open. */
export function creatingOverHttp(url: string, keys: readonly string[], poolId: string): (caller: number) => Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: keys.length });
  const body = JSON.stringify(requestIn(poolId));
  const target = new URL('/api/compute/reservations/create', url);
  return (caller) =>
    new Promise((resolve, reject) => {
      // each call is a request of its own, as the client's are
      const key = `bench-${crypto.randomUUID()}`;
      const text = `${body.slice(0, -1)},"idempotencyKey":"${key}"}`;
      const headers = { authorization: `Bearer ${keys[caller]}`, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
      const call = request(target, { method: 'POST', agent, headers }, (response) => {
        response.resume();
        response.on('end', () => (response.statusCode === 200 ? resolve() : reject(new Error(`answered ${response.statusCode}`))));
      });
      call.on('error', reject);
      call.end(text);
    });
}
