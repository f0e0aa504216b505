import { type Ask, compileDocuments, compileHolds, createCatalog, decide, parsePolicy } from '@better-iam/core';
import { medianOf } from '../callers.ts';

const STATEMENTS = 200;
const SETS = 5;
const ACTIONS = Array.from({ length: 50 }, (_, n) => `compute:noun${n % 10}:verb${n}`);
const TYPES = Array.from({ length: 10 }, (_, n) => `compute-noun${n}`);

const catalog = createCatalog({
  actions: ACTIONS,
  resourceTypes: Object.fromEntries(TYPES.map((type) => [type, { attributes: { gpus: 'number', region: 'string' } }])),
});

/** Forty statements a set: most of other actions, some of ours with a condition that fails, denies among them, one that allows. */
function documentOf(set: number) {
  const statements = Array.from({ length: STATEMENTS / SETS - 1 }, (_, n) => ({
    sid: `s${n}`,
    effect: n % 5 === 0 ? 'deny' : 'allow',
    actions: n % 4 === 0 ? ['compute:*'] : [ACTIONS[(n * 7 + set) % ACTIONS.length]],
    resources: n % 3 === 0 ? ['*'] : [`${TYPES[n % TYPES.length]}/*`, `${TYPES[0]}/rsv_${n}*`],
    conditions: { NumericGreaterThan: { 'resource.gpus': 64 + n }, StringEquals: { 'resource.region': `region-${n}` }, Bool: { 'principal.delegated': true } },
  }));
  const last = {
    sid: 'last',
    effect: 'allow',
    actions: ['compute:*'],
    resources: [`${TYPES[0]}/*`],
    conditions: { StringEquals: { 'resource.ownerId': '${principal.id}' }, NumericLessThanEquals: { 'resource.gpus': 8 } },
  };
  return parsePolicy({ version: 1, statements: [...statements, last] }, catalog);
}

/** Median of many short runs of `decide` in a delegated session, its context built each time (compute.md §12). */
export function decideMicroseconds(): number {
  const set = (kind: string, n: number) => compileDocuments([{ kind, id: `${kind}_${n}`, document: documentOf(n) }], catalog);
  const kinds = ['tenant-boundary', 'agent-boundary', 'delegation', 'session-policy'];
  const [grants, ceilings, holds] = [set('role', 0), kinds.map((kind, n) => set(kind, n + 1)), [compileHolds(['compute:noun9:*'])]];
  const askAt = (n: number): Ask => ({
    grants,
    ceilings,
    holds,
    catalog,
    action: ACTIONS[0]!,
    resource: { tenantId: 'tnt_1', type: TYPES[0]!, id: `rsv_${n}`, ownerId: 'usr_1', attributes: { gpus: 8, region: 'fra' } },
    context: {
      principal: {
        id: 'usr_1',
        tenantId: 'tnt_1',
        kind: 'user',
        sessionKind: 'delegated',
        sessionId: 'ses_1',
        mfa: false,
        owner: false,
        rootAdmin: false,
        groups: [],
        roles: ['role_1'],
        tokenIssueTime: 1_800_000_000_000,
        delegationId: 'dlg_1',
        agentId: 'agent_1',
        agentSponsorId: 'usr_2',
      },
      request: { time: 1_800_000_000_000 + n, sourceIp: '192.0.2.1' },
    },
  });
  const PER_RUN = 100;
  const micros: number[] = [];
  for (let run = 0; run < 3000; run++) {
    const began = process.hrtime.bigint();
    for (let n = 0; n < PER_RUN; n++) if (!decide(askAt(n)).allowed) throw new Error('what is measured must be an allow');
    if (run >= 1000) micros.push(Number(process.hrtime.bigint() - began) / 1000 / PER_RUN);
  }
  return medianOf(micros);
}
