import type { InputOf, OutputOf } from '@kit/operation';
import type { ConfigChange, IamConfig } from '@better-iam/contract';
import { createAgent } from '../agents/create.ts';
import { deleteAgent } from '../agents/delete.ts';
import { updateAgent } from '../agents/update.ts';
import { createBinding } from '../bindings/create.ts';
import { deleteBinding } from '../bindings/delete.ts';
import type { Call } from '../call.ts';
import { asOperation } from '../invoke.ts';
import type { OperationOf } from '../operations-by-id.ts';
import { createPolicy } from '../policies/create.ts';
import { deletePolicy } from '../policies/delete.ts';
import { updatePolicy } from '../policies/update.ts';
import { refuse } from '../refuse.ts';
import { createRole } from '../roles/create.ts';
import { deleteRole } from '../roles/delete.ts';
import { updateRole } from '../roles/update.ts';
import { updateTenantRecord } from '../tenants/update.ts';
import { type Planned, planOf } from './plan.ts';
import { type Binding, holderOf } from './state.ts';

type Apply = OperationOf<'config.apply'>;
type Role = IamConfig['roles'][number];
type Agent = IamConfig['agents'][number];

/** Through the handlers of the ordinary calls, so that each change is checked and recorded as it always is (iam.md §11.5). */
export async function applyConfig(call: Call, input: InputOf<Apply>): Promise<OutputOf<Apply>> {
  const planned = await planOf(call, input.config);
  const { changes, planHash } = planned;
  if (planHash !== input.planHash)
    throw refuse('CONFLICT', 'the organization or the file is another than was planned: read the plan again', {
      details: { planHash, changes: changes as never },
    });
  await new Applying(call, planned).run();
  const counts = { create: 0, update: 0, delete: 0 };
  for (const { op } of changes) counts[op]++;
  await call.audit('iam:config:apply', call.tenantId, { planHash, ...counts });
  return { changes };
}

/** Ids of what is made come as it is made: later steps name it. */
class Applying {
  readonly call: Call;
  readonly planned: Planned;
  private readonly ids: Map<string, string>;
  private readonly holders: Map<string, string>;

  constructor(call: Call, planned: Planned) {
    this.call = call;
    this.planned = planned;
    this.ids = new Map([...planned.state.versions].map(([path, { id }]) => [path, id]));
    this.holders = new Map(planned.state.holders);
  }

  /** What is named is there before whoever names it, and gone after. */
  async run(): Promise<void> {
    await this.policies();
    await this.agents();
    await this.roles();
    await this.bindings();
    await this.goneRoles();
    for (const { path } of this.of('policies/', 'delete')) await deletePolicy(asOperation(this.call, 'policies.delete'), { policyId: this.id(path) });
    for (const { path } of this.of('agents/', 'delete')) await deleteAgent(asOperation(this.call, 'agents.delete'), { agentId: this.id(path) });
    for (const { after } of this.of('boundary'))
      await updateTenantRecord(asOperation(this.call, 'tenants.update'), {
        version: this.version('boundary'),
        boundary: (after as Record<string, unknown>) ?? null,
      });
  }

  private of(start: string, op?: ConfigChange['op']): ConfigChange[] {
    return this.planned.changes.filter(
      (change) => change.path.startsWith(start) && !change.path.includes('/boundTo/') && (op === undefined || change.op === op),
    );
  }

  private id(path: string): string {
    return this.ids.get(path)!;
  }

  private version(path: string): number {
    return this.planned.state.versions.get(path)!.version;
  }

  private async policies(): Promise<void> {
    for (const { op, path, after } of this.of('policies/')) {
      const document = after as Record<string, unknown>;
      if (op === 'create') {
        const { id } = await createPolicy(asOperation(this.call, 'policies.create'), { name: path.slice('policies/'.length), document });
        this.ids.set(path, id);
      } else if (op === 'update') {
        await updatePolicy(asOperation(this.call, 'policies.update'), { policyId: this.id(path), version: this.version(path), document });
      }
    }
  }

  private async agents(): Promise<void> {
    for (const { op, path, after } of this.of('agents/')) {
      if (op === 'delete') continue;
      const { name, sponsor, ...traits } = after as Agent;
      const sponsorId = this.holders.get(`person:${sponsor}`)!;
      if (op === 'create') {
        const { id } = await createAgent(asOperation(this.call, 'agents.create'), { name, sponsorId, ...traits });
        this.holders.set(`agent:${name}`, id);
      } else await updateAgent(asOperation(this.call, 'agents.update'), { agentId: this.id(path), sponsorId, ...wholeTraits(traits) });
    }
  }

  private async roles(): Promise<void> {
    const changes = new Map(this.of('roles/').map((change) => [change.path, change]));
    for (const role of inOrderOfInheritance(this.planned.wanted.roles)) {
      const path = `roles/${role.name}`;
      const change = changes.get(path);
      if (!change) continue;
      const { name, permissions, document, policies = [], inherits = [] } = role;
      const links = { policyIds: policies.map((one) => this.id(`policies/${one}`)), inherits: inherits.map((one) => this.id(`roles/${one}`)) };
      if (change.op === 'create') {
        const terms = { name, ...(permissions ? { permissions } : {}), ...(document ? { document } : {}), ...links };
        this.ids.set(path, (await createRole(asOperation(this.call, 'roles.create'), terms)).id);
      } else {
        const terms = { permissions: permissions ?? null, document: document ?? null, ...links };
        await updateRole(asOperation(this.call, 'roles.update'), { roleId: this.id(path), version: this.version(path), ...terms });
      }
    }
  }

  private async bindings(): Promise<void> {
    const changes = this.planned.changes.filter(({ path }) => path.includes('/boundTo/'));
    // one with another window is a new one in its place
    for (const { op, path } of changes) if (op !== 'create') await deleteBinding(asOperation(this.call, 'bindings.delete'), { bindingId: this.id(path) });
    for (const { op, path, after } of changes) {
      if (op === 'delete') continue;
      const bound = after as Binding;
      const { startsAt, expiresAt } = bound;
      const holder = this.holders.get(holderOf(bound))!;
      await createBinding(asOperation(this.call, 'bindings.create'), {
        roleId: this.id(path.slice(0, path.indexOf('/boundTo/'))),
        ...('group' in bound ? { groupId: holder } : { identityId: holder }),
        ...(startsAt === undefined ? {} : { startsAt }),
        ...(expiresAt === undefined ? {} : { expiresAt }),
      });
    }
  }

  private async goneRoles(): Promise<void> {
    const gone = new Set(this.of('roles/', 'delete').map(({ path }) => path.slice('roles/'.length)));
    const order = inOrderOfInheritance(this.planned.state.config.roles).filter(({ name }) => gone.has(name));
    for (const { name } of order.reverse()) await deleteRole(asOperation(this.call, 'roles.delete'), { roleId: this.id(`roles/${name}`) });
  }
}

/** What an update of an agent leaves out stays; a file leaves out what is not. */
const wholeTraits = ({ model, provider, purpose, url, protocols, boundary, delegable, maxDelegatedSessionSeconds, expiresAt }: Partial<Agent>) =>
  ({
    model: model ?? null,
    provider: provider ?? null,
    purpose: purpose ?? null,
    url: url ?? null,
    protocols: protocols ?? null,
    boundary: boundary ?? null,
    delegable: delegable ?? true,
    maxDelegatedSessionSeconds: maxDelegatedSessionSeconds ?? 3_600,
    expiresAt: expiresAt ?? null,
  }) as unknown as Omit<Partial<Agent>, 'sponsor' | 'name'>;

/** Those that are inherited first; there is no circle. */
function inOrderOfInheritance(roles: readonly Role[]): Role[] {
  const byName = new Map(roles.map((role) => [role.name, role]));
  const done = new Set<Role>();
  const visit = (role: Role): void => {
    if (done.has(role)) return;
    for (const name of role.inherits ?? []) if (byName.has(name)) visit(byName.get(name)!);
    done.add(role);
  };
  for (const role of roles) visit(role);
  return [...done];
}
