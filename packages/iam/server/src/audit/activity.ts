import type { AuditEvent } from '@better-iam/core';
import type { Activity } from '@better-iam/contract';
import { type Call, iamResource } from '../call.ts';
import { pageOf, windowOf } from '../paging.ts';
import { eventsOfAgent, eventsUnderDelegation } from './store.ts';

type Input = { from?: number | undefined; to?: number | undefined; limit?: number | undefined; offset?: number | undefined };
type Page = { items: Activity[]; nextOffset: number | null };

/** Whether the caller reads the audit anyway; nothing is decided by it that would be recorded. */
const readsAudit = (call: Call): boolean => call.access.check('iam:audit:read', iamResource(call.tenantId)).allowed;

/** A page of what concerns an agent or a delegation, as this caller may see it. */
export async function activityPage(call: Call, about: { agentId: string } | { delegationId: string }, input: Input): Promise<Page> {
  const filter = { tenantId: call.tenantId, from: input.from ?? null, to: input.to ?? null, ...windowOf(input) };
  const rows =
    'agentId' in about ? await eventsOfAgent(call.tx, { ...filter, agentId: about.agentId }) : await eventsUnderDelegation(call.tx, { ...filter, ...about });
  const shown = readsAudit(call) ? whole : (event: AuditEvent) => partOf(event, call.principal.identity.id);
  return pageOf(rows, input, shown);
}

const whole = ({ previousHash: _previous, hash: _hash, ...event }: AuditEvent): Activity => event;

const isAboutConfirmation = ({ action }: AuditEvent): boolean => /^delegation:(confirm|reject)/.test(action);

/** Without why something was denied (iam.md §22); and of what was put to another person only that it was (iam.md §13). */
function partOf(event: AuditEvent, readerId: string): Activity {
  const { internalReason: _internal, ...metadata } = event.metadata as Record<string, unknown>;
  if (!isAboutConfirmation(event) || event.actorId === readerId) return { ...whole(event), metadata };
  const { confirmationId } = metadata;
  return { ...whole(event), resourceId: String(confirmationId), metadata: { confirmationId } };
}
