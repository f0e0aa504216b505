import { expect } from 'vitest';
import type { In, Out } from '../handler.ts';
import { refusalFrom } from './code-of.ts';
import { PLATFORM, type TestClient, type TestPlane } from './test-plane.ts';

type Budget = Omit<In<'budgets.set'>, 'person' | 'delegation' | 'tenantId'>;
type Set = (budget: Budget) => Promise<Out<'budgets.set'>['budget']>;

/** An organization with a person, their agent, an owner and a lease pool of two nodes: of each test its own, so that no budget is another's. */
export interface BudgetWorld {
  tenantId: string;
  pool: string;
  person: string;
  delegation: string;
  ann: TestClient;
  /** Acts for the person, who holds its reservations back. */
  agent: TestClient;
  owner: TestClient;
  ask(count: number, hours: number, more?: object): In<'reservations.create'>;
  ofTenant: Set;
  ofPerson: Set;
  ofDelegation: Set;
  figures(budgetId: string): Promise<{ used: number; held: number; left: number | null }>;
  reservations(): Promise<number>;
}

export async function budgetWorld(plane: TestPlane, name: string): Promise<BudgetWorld> {
  const [tenantId, pool] = [`tnt_${name}`, `pool_${name}`];
  const [person, delegation] = [`usr_${name.padStart(22, 'A')}`, `dlg_${name.padStart(22, 'A')}`];
  await plane.pool({ id: pool, placement: 'lease' });
  await plane.nodes(2, { poolId: pool });
  const ann = plane.as({ tenantId, identityId: person });
  const owner = plane.as({ tenantId, identityId: `usr_owner-${name}` });
  const root = plane.as({ tenantId: PLATFORM, hasRootOverride: true });
  const holds = new Set(['compute:reservations:create', 'compute:reservations:extend']);
  return {
    tenantId,
    pool,
    person,
    delegation,
    ann,
    owner,
    agent: plane.as({ tenantId, identityId: person, delegationId: delegation, agentId: 'agent_1', sessionKind: 'delegated', holds }),
    ask: (count, hours, more = {}) => ({ poolId: pool, requests: [{ class: 'gpu' as const, count }], duration: `${hours}h`, ...more }),
    ofTenant: async (budget) => (await root.budgets.set({ tenantId, ...budget })).budget,
    ofPerson: async (budget) => (await owner.budgets.set({ person, ...budget })).budget,
    ofDelegation: async (budget) => (await ann.budgets.set({ delegation, ...budget })).budget,
    async figures(budgetId) {
      const { used, held, left } = (await owner.budgets.list({ limit: 200 })).items.find(({ id }) => id === budgetId)!;
      return { used, held, left };
    },
    async reservations() {
      return (await plane.database.one<{ n: number }>('select count(*) as n from compute.reservation where tenant_id = $1', [tenantId]))!.n;
    },
  };
}

/** The confirmation a call waits for now. */
export async function held(call: Promise<unknown>): Promise<string> {
  const refusal = await refusalFrom(call);
  expect(refusal.code).toBe('CONFIRMATION_REQUIRED');
  return refusal.details.confirmationId;
}
