import { createHash } from 'node:crypto';
import { ApiError, canonicalJson } from '@kit/operation';
import type { Database, Tx } from '@kit/store';
import type { Access, AuditEntry, Caller, IamPort, OpenAccess, PortDecision, ResolvedResource } from '../iam-port.ts';

/** A caller of the tests: what it is denied and what its person holds back are action names. */
export interface FakeCaller extends Caller {
  denies: Set<string>;
  holds: Set<string>;
  /** Sees and does only what is its own. */
  isOwnOnly?: boolean;
}

interface Row {
  id: string;
  status: 'pending' | 'approved' | 'rejected' | 'used';
  delegationId: string;
  digest: string;
  action: string;
  resource: ResolvedResource;
  reason: string;
  note: string | null;
  expiresAt: number;
}

/** An identity service of a few lines: the port's contract with approvals and audit in the same database, nothing of real policies. */
export interface FakeIam extends IamPort {
  readonly callers: Map<string, FakeCaller>;
  confirmations(): Promise<Row[]>;
  decide(id: string, status: 'approved' | 'rejected'): Promise<void>;
  audit(): Promise<(AuditEntry & { tenantId: string; by: string })[]>;
  /** Makes filing refuse, as a budget would. */
  filingRefusal: Error | undefined;
}

const DECIDE_MS = 1_800_000;

const digestOf = (tenantId: string, action: string, resource: ResolvedResource): string =>
  createHash('sha256')
    .update(canonicalJson({ tenantId, action, type: resource.type, id: resource.id, binding: resource.confirmation?.binding ?? resource.attributes }))
    .digest('hex');

export async function createFakeIam(database: Database, clock: () => number): Promise<FakeIam> {
  await database.run('create schema if not exists fake');
  await database.run('create table if not exists fake.confirmation (id text primary key, status text, delegation_id text, row jsonb, number serial)');
  await database.run('create table if not exists fake.audit (number serial, entry jsonb)');
  const callers = new Map<string, FakeCaller>();
  const fake: FakeIam = {
    callers,
    filingRefusal: undefined,
    async open(tx, o) {
      const caller = o.token === undefined ? undefined : callers.get(o.token);
      if (!caller) throw new ApiError('UNAUTHENTICATED', 401, 'no such credential');
      if (o.tenantId !== undefined && o.tenantId !== caller.tenantId && !caller.hasRootOverride) throw new ApiError('ACCESS_DENIED', 403, 'not your tenant');
      return accessOf(fake, tx, o, caller, clock);
    },
    async personOf(_q, tenantId, who) {
      const known = [...callers.values()].filter((caller) => caller.tenantId === tenantId);
      const caller =
        'identityId' in who
          ? known.find((one) => one.identityId === who.identityId && one.kind === 'user')
          : known.find((one) => one.delegationId === who.delegationId);
      return caller?.identityId;
    },
    async openConfirmations(q, ids) {
      const text = `select id from fake.confirmation where id = any($1) and status in ('pending', 'approved') and (row ->> 'expiresAt')::bigint > $2`;
      return (await q.rows<{ id: string }>(text, [ids, clock()])).map((row) => row.id);
    },
    tenants: async () => [...new Set([...callers.values()].map((caller) => caller.tenantId))].map((id) => ({ id, slug: id.replace('tnt_', '') })),
    async confirmations() {
      const rows = await database.rows<{ row: Row; status: Row['status'] }>('select row, status from fake.confirmation order by number');
      return rows.map(({ row, status }) => ({ ...row, status }));
    },
    async decide(id, status) {
      const expiresAt = status === 'approved' ? clock() + 3_600_000 : clock();
      const done = await database.run(
        `update fake.confirmation set status = $2, row = row || jsonb_build_object('expiresAt', $3::bigint) where id = $1 and status = 'pending'`,
        [id, status, expiresAt],
      );
      if (done !== 1) throw new Error(`${id} was decided before`);
    },
    audit: async () =>
      (await database.rows<{ entry: AuditEntry & { tenantId: string; by: string } }>('select entry from fake.audit order by number')).map((r) => r.entry),
  };
  return fake;
}

function accessOf(fake: FakeIam, tx: Tx, o: OpenAccess, caller: FakeCaller, clock: () => number): Access {
  const tenantId = o.tenantId ?? caller.tenantId;
  const check = (action: string, resource: ResolvedResource): PortDecision => {
    if (resource.tenantId !== tenantId || caller.denies.has(action)) return { allowed: false, reason: 'ACCESS_DENIED', matched: [] };
    if (caller.isOwnOnly && resource.ownerId !== undefined && resource.ownerId !== caller.identityId)
      return { allowed: false, reason: 'ACCESS_DENIED', matched: [] };
    if (caller.holds.has(action)) return { allowed: false, reason: 'CONFIRMATION_REQUIRED', matched: [] };
    return { allowed: true, reason: 'ALLOWED', matched: ['fake'] };
  };
  const write = (entry: AuditEntry): Promise<number> =>
    tx.run('insert into fake.audit (entry) values ($1)', [JSON.stringify({ ...entry, tenantId, by: caller.identityId })]);
  return {
    caller,
    tenantId,
    check,
    async decide(action, resource) {
      const decision = check(action, resource);
      if (decision.reason === 'ACCESS_DENIED') await write({ action, resourceId: resource.id, outcome: 'deny' });
      if (decision.reason !== 'CONFIRMATION_REQUIRED') return decision;
      const spent = await tx.one<{ id: string; expiresAt: number }>(
        `update fake.confirmation set status = 'used' where id = (
           select id from fake.confirmation where status = 'approved' and delegation_id = $1 and row ->> 'digest' = $2 and (row ->> 'expiresAt')::bigint > $3
           order by number limit 1 for update skip locked) returning id, (row ->> 'expiresAt')::bigint as "expiresAt"`,
        [caller.delegationId, digestOf(tenantId, action, resource), clock()],
      );
      return spent ? { allowed: true, reason: 'ALLOWED', matched: [], confirmationId: spent.id, lapsesAt: spent.expiresAt } : decision;
    },
    async fileConfirmation({ action, resource, reason, note }) {
      if (fake.filingRefusal) throw fake.filingRefusal;
      const digest = digestOf(tenantId, action, resource);
      const known = await tx.one<{ row: Row; status: string }>(
        `select row, status from fake.confirmation where status = 'pending' and delegation_id = $1 and row ->> 'digest' = $2 and (row ->> 'expiresAt')::bigint > $3`,
        [caller.delegationId, digest, clock()],
      );
      const row: Row = known?.row ?? {
        id: `cnf_${crypto.randomUUID()}`,
        status: 'pending',
        delegationId: caller.delegationId!,
        digest,
        action,
        resource,
        reason,
        note: note ?? null,
        expiresAt: clock() + DECIDE_MS,
      };
      if (!known) {
        const values = [row.id, caller.delegationId, JSON.stringify(row)];
        await tx.run(`insert into fake.confirmation (id, status, delegation_id, row) values ($1, 'pending', $2, $3)`, values);
      }
      return { id: row.id, summary: resource.confirmation!.summary, expiresAt: row.expiresAt, status: 'pending' };
    },
    async audit(entry) {
      await write(entry);
    },
  };
}
