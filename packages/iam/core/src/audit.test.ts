import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { type AuditEvent, auditHash, genesis, verifyChain } from './audit.ts';

function chainOf(count: number): AuditEvent[] {
  const events: AuditEvent[] = [];
  for (let sequence = 1; sequence <= count; sequence++) {
    const event = {
      id: `aud_${sequence}`,
      tenantId: 'tnt_1',
      timestamp: sequence,
      actorId: 'usr_1',
      action: 'delegation:confirm',
      resourceId: 'cnf_1',
      outcome: 'allow' as const,
      sessionContext: { sessionId: 'ses_1', kind: 'user' },
      metadata: {},
      sequence,
      previousHash: events.at(-1)?.hash ?? '0'.repeat(64),
    };
    events.push({ ...event, hash: auditHash(event) });
  }
  return events;
}
const [first, second, third, fourth] = chainOf(4) as [AuditEvent, AuditEvent, AuditEvent, AuditEvent];
const all = [first, second, third, fourth];
const position = ({ sequence, hash }: AuditEvent) => ({ sequence, hash });
const rehashed = (event: AuditEvent, change: Partial<AuditEvent>): AuditEvent => ({ ...event, ...change, hash: auditHash({ ...event, ...change }) });

test('iam§22 the hash is SHA-256 over the canonical event without its hash', () => {
  const text =
    '{"action":"delegation:confirm","actorId":"usr_1","id":"aud_1","metadata":{},"outcome":"allow","previousHash":"0000000000000000000000000000000000000000000000000000000000000000","resourceId":"cnf_1","sequence":1,"sessionContext":{"kind":"user","sessionId":"ses_1"},"tenantId":"tnt_1","timestamp":1}';
  expect(first.hash).toBe(createHash('sha256').update(text).digest('hex'));
  expect(auditHash({ ...first, hash: 'other' })).toBe(first.hash);
});

test('iam§22 a whole chain verifies, in one go and in pages', () => {
  expect(verifyChain(all, { head: position(fourth) })).toEqual({ ok: true, head: position(fourth) });
  expect(verifyChain([], {})).toEqual({ ok: true, head: genesis });
  expect(verifyChain([third, fourth], { after: position(second), head: position(fourth) })).toMatchObject({ ok: true });
});

test.each<[string, AuditEvent[], Parameters<typeof verifyChain>[1], string, number]>([
  ['a missing event', [first, second, fourth], {}, 'sequence-gap', 4],
  ['an event twice', [first, second, second, third], {}, 'sequence-gap', 2],
  ['events out of order', [first, third, second], {}, 'sequence-gap', 3],
  ['a missing beginning', [second, third], {}, 'missing-prefix', 2],
  ['a page that does not follow', [fourth], { after: position(second) }, 'sequence-gap', 4],
  ['a changed event', [first, { ...second, outcome: 'deny' }, third], {}, 'hash-mismatch', 2],
  ['an added member', [first, { ...second, rootOverride: true }, third], {}, 'hash-mismatch', 2],
  ['a changed event with a fitting hash', [first, rehashed(second, { actorId: 'usr_2' }), third], {}, 'previous-hash-mismatch', 3],
  ['another past', [rehashed(first, { previousHash: '1'.repeat(64) })], {}, 'previous-hash-mismatch', 1],
  ['a cut-off end', [first, second], { head: position(third) }, 'head-mismatch', 2],
  ['a last event rewritten with its hash', [first, rehashed(second, { metadata: { a: 1 } })], { head: position(second) }, 'head-mismatch', 2],
  ['everything gone', [], { head: position(third) }, 'head-mismatch', 0],
])('iam§22 %s is found', (_name, events, options, failure, sequence) => expect(verifyChain(events, options)).toEqual({ ok: false, failure, sequence }));
