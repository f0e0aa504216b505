/** What a client shows its model about this server, unless the host says otherwise (compute.md §11.4). Pinned by a test. */
export const defaultInstructions = [
  'Better Compute: find GPU capacity, preview and make reservations, extend and release them, and look at nodes. You act with your own credential; every call is decided by policy, and a person may have to confirm it.',
  'When a result has status "confirmation-required", show the person its approvalUrl and wait; then call the same tool again with the same arguments and the idempotencyKey of that result. The same key never acts twice, so also use it after a lost or failed call.',
  'When a result has status "confirmation-denied", stop and tell the person. When it has status "confirmation-expired", start over with a new request and a new idempotencyKey.',
  'When a tool fails with CONFIRMATION_REQUIRED, make exactly the same call again once the person has approved.',
  'Ids come from the list tools: never make one up. Never ask anybody for passwords, tokens or keys, and never put them into arguments.',
].join('\n');
