// A control plane of its own in a process of its own, and callers that work through it: forked by tests.
import { openDatabase } from '@kit/store';
import { createClient } from '@kit/operation';
import { computeService } from '@better-compute/contract';
import { createCompute } from '../compute.ts';
import { createFakeIam, type FakeCaller } from './fake-iam.ts';
import { PLATFORM, PUBLIC_URL, TENANT } from './test-plane.ts';
import { work, type Worked } from './workload.ts';

/** What the parent sends first. */
export interface Order {
  connectionString: string;
  now: number;
  /** Numbers of the callers, which are also their seeds. */
  callers: number[];
  rounds: number;
}

/** `ready` when it could begin; `work` sets it going; then what came of it. */
export type Report = { ready: true } | { worked: Worked[]; faults: string[]; startedAt: number; endedAt: number };

const report = (message: Report): void => void process.send!(message);

process.once('message', (order: Order) => void serve(order));

async function serve(o: Order): Promise<void> {
  const faults: string[] = [];
  const fault = (error: unknown): void => void faults.push(String(error));
  const clock = (): number => o.now;
  const database = await openDatabase({ url: o.connectionString });
  const iam = await createFakeIam(database, clock);
  const compute = await createCompute({ database, iam, publicUrl: PUBLIC_URL, secret: 's'.repeat(32), platformTenantId: PLATFORM, clock, fault });
  const clients = o.callers.map((n) => {
    const token = `token-${n}`;
    const caller = { identityId: `usr_${n}`, tenantId: TENANT, kind: 'user', sessionKind: 'user', sessionId: token, hasRootOverride: false };
    iam.callers.set(token, { ...caller, denies: new Set(), holds: new Set() } as FakeCaller);
    return createClient(computeService, { baseURL: PUBLIC_URL, token, fetch: compute.handler });
  });
  process.once('message', () => void run());
  report({ ready: true });

  async function run(): Promise<void> {
    const startedAt = Date.now();
    try {
      const worked = await Promise.all(clients.map((client, i) => work(client, { seed: o.callers[i]!, rounds: o.rounds, now: o.now })));
      report({ worked, faults, startedAt, endedAt: Date.now() });
    } catch (error) {
      report({ worked: [], faults: [...faults, String(error)], startedAt, endedAt: Date.now() });
    }
    await compute.stop();
    await database.close();
    process.disconnect();
  }
}
