import { expect, test } from 'vitest';
import { createComputeMcp, defaultInstructions } from './index.ts';
import { answered, ask, statelessRequest } from './testing.ts';

/** Pinned whole: a model acts on these words. */
const pinned = `Better Compute: find GPU capacity, preview and make reservations, extend and release them, and look at nodes. You act with your own credential; every call is decided by policy, and a person may have to confirm it.
When a result has status "confirmation-required", show the person its approvalUrl and wait; then call the same tool again with the same arguments and the idempotencyKey of that result. The same key never acts twice, so also use it after a lost or failed call.
When a result has status "confirmation-denied", stop and tell the person. When it has status "confirmation-expired", start over with a new request and a new idempotencyKey.
When a tool fails with CONFIRMATION_REQUIRED, make exactly the same call again once the person has approved.
Ids come from the list tools: never make one up. Never ask anybody for passwords, tokens or keys, and never put them into arguments.`;

const told = async (o: { instructions?: string } = {}) => {
  const mcp = createComputeMcp({ baseURL: 'https://compute.example', ...o });
  const { result } = (await ask(mcp, 'initialize', { protocolVersion: '2025-11-25' })).body;
  return [result, (await answered(await mcp.handler(statelessRequest('server/discover')))).body.result] as const;
};

test('B151 compute§11.4 the default instructions are these words, at most 1,200 characters, in initialize and server/discover', async () => {
  expect(defaultInstructions).toBe(pinned);
  expect(pinned.length).toBeLessThanOrEqual(1_200);
  for (const result of await told()) expect(result.instructions).toBe(pinned);
});

test('compute§11.4 instructions replaces them whole, and the empty text sends none', async () => {
  for (const result of await told({ instructions: 'Be brief.' })) expect(result.instructions).toBe('Be brief.');
  for (const result of await told({ instructions: '' })) expect(result).not.toHaveProperty('instructions');
});
