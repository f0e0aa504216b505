import { decide, draft, file, type World } from '../world.ts';
import {
  DAY,
  endDelegation,
  hasDeputy,
  HOUR,
  isCoolingDown,
  isLinked,
  isLiveDelegation,
  isLiveKey,
  isLiveSession,
  isOverBudget,
  MINUTE,
  type Model,
} from './model.ts';
import { type Outcome, outcomeOf } from './outcome.ts';

/** Something somebody does, its targets chosen. */
export interface Planned {
  verb: string;
  name: string;
  run(world: World): Promise<Outcome>;
  /** What the model says must come of it, which it then holds to have come. Throws where the server's value is not what it must be. */
  take(m: Model, outcome: Outcome): string;
}

/** Undefined where there is nothing to do it to. */
export type Step = (m: Model) => Planned | undefined;

const SCOPES = ['compute:*'];
const CONFIRM = ['compute:reservations:create'];
export const idOf = ({ value }: Outcome): string => value?.id as string;
/** Counted from the latest. */
export const pick = (list: readonly unknown[], n: number): number | undefined => (list.length === 0 ? undefined : list.length - 1 - (n % list.length));
const delegated = (agent: number, id: string, expiresAt: number) => ({ id, agent, expiresAt, parent: undefined, parentKey: undefined });

export const grant =
  (agent: number): Step =>
  (known) => ({
    verb: 'grant',
    name: `alex grants to ${agent}`,
    run: ({ iam, alex }) =>
      outcomeOf(
        iam.api.delegations.grant(alex, {
          agentId: known.agents[agent]!.id,
          scopes: SCOPES,
          confirm: CONFIRM,
          handoff: { depth: 2 },
          expiresInSeconds: 172_800,
        }),
      ),
    take(m, outcome) {
      if (m.agents[agent]!.isSuspended) return 'INVALID_IDENTITY';
      if (isLinked(m, agent)) return 'DELEGATION_EXISTS';
      m.delegations.push({ ...delegated(agent, idOf(outcome), m.now + 2 * DAY), status: 'active', depth: 2 });
      return 'ok';
    },
  });

export const request =
  (agent: number): Step =>
  ({ agents }) => {
    const { keys } = agents[agent]!;
    const key = keys.length - 1;
    return {
      verb: 'request',
      name: `${agent} asks alex`,
      run: ({ iam, alex }) => {
        const asked = { subjectId: alex.id, scopes: SCOPES, confirm: CONFIRM, reason: 'to plan', expiresInSeconds: 86_400 };
        return outcomeOf(iam.api.delegations.request({ token: keys[key]!.token }, asked));
      },
      take(m, outcome) {
        if (!isLiveKey(m.agents[agent]!, key)) return 'UNAUTHENTICATED';
        if (isLinked(m, agent)) return 'DELEGATION_EXISTS';
        m.delegations.push({ ...delegated(agent, idOf(outcome), m.now + 7 * DAY), status: 'pending', depth: 0 });
        return 'ok';
      },
    };
  };

export const answer =
  (n: number, isApproved: boolean): Step =>
  (known) => {
    const at = pick(known.delegations, n);
    if (at === undefined || known.delegations[at]!.parent !== undefined) return undefined;
    const input = { delegationId: known.delegations[at]!.id };
    return {
      verb: 'answer',
      name: `alex ${isApproved ? 'approves' : 'denies'} delegation ${at}`,
      run: ({ iam, alex }) => outcomeOf(isApproved ? iam.api.delegations.approve(alex, input) : iam.api.delegations.deny(alex, input)),
      take(m) {
        const d = m.delegations[at]!;
        if (d.status !== 'pending' || d.expiresAt <= m.now) return 'INVALID_TRANSITION';
        if (isApproved && m.agents[d.agent]!.isSuspended) return 'INVALID_IDENTITY';
        Object.assign(d, isApproved ? { status: 'active', expiresAt: m.now + DAY } : { status: 'denied' });
        return 'ok';
      },
    };
  };

export const revoke =
  (n: number, who: 'alex' | 'owner'): Step =>
  (known) => {
    const at = pick(known.delegations, n);
    if (at === undefined) return undefined;
    const { id: delegationId } = known.delegations[at]!;
    return {
      verb: 'revoke',
      name: `${who} revokes delegation ${at}`,
      run: (world) => outcomeOf(world.iam.api.delegations.revoke(world[who], { delegationId })),
      take(m) {
        const { status } = m.delegations[at]!;
        if (status !== 'pending' && status !== 'active') return 'INVALID_TRANSITION';
        endDelegation(m, at);
        return 'ok';
      },
    };
  };

export const assume =
  (n: number): Step =>
  (known) => {
    const at = pick(known.delegations, n);
    if (at === undefined) return undefined;
    const { id: delegationId, agent } = known.delegations[at]!;
    const key = known.agents[agent]!.keys.length - 1;
    return {
      verb: 'assume',
      name: `${agent} assumes delegation ${at}`,
      run: ({ iam }) => outcomeOf(iam.api.delegations.assume({ token: known.agents[agent]!.keys[key]!.token }, { delegationId })),
      take(m, { value }) {
        const d = m.delegations[at]!;
        if (!isLiveKey(m.agents[agent]!, key)) return 'UNAUTHENTICATED';
        if (d.status === 'pending' && d.expiresAt > m.now) return 'DELEGATION_PENDING';
        if (!isLiveDelegation(m, at)) return 'DELEGATION_INACTIVE';
        if (m.sessions.filter((s) => s.delegation === at && !s.isEnded && s.expiresAt > m.now).length >= 20) return 'LIMIT_EXCEEDED';
        m.sessions.push({ token: value?.token as string, delegation: at, key, expiresAt: value?.expiresAt as number, isEnded: false });
        return 'ok';
      },
    };
  };

export const handOff =
  (n: number, agent: number): Step =>
  (known) => {
    const at = pick(known.sessions, n);
    if (at === undefined) return undefined;
    const { token, delegation: parent, key: parentKey } = known.sessions[at]!;
    return {
      verb: 'handOff',
      name: `session ${at} hands on to ${agent}`,
      run: ({ iam }) => outcomeOf(iam.api.delegations.handoff({ token }, { agentId: known.agents[agent]!.id, scopes: SCOPES })),
      take(m, { value }) {
        const above = m.delegations[parent]!;
        if (!isLiveSession(m, m.sessions[at]!)) return 'UNAUTHENTICATED';
        const chain: number[] = [];
        for (let place: number | undefined = parent; place !== undefined; place = m.delegations[place]!.parent) chain.push(m.delegations[place]!.agent);
        if (above.depth === 0 || chain.includes(agent)) return 'DELEGATION_NOT_ALLOWED';
        if (m.agents[agent]!.isSuspended) return 'INVALID_IDENTITY';
        m.delegations.push({
          id: value?.id as string,
          agent,
          status: 'active',
          expiresAt: value?.expiresAt as number,
          depth: above.depth - 1,
          parent,
          parentKey,
        });
        return 'ok';
      },
    };
  };

export interface Wish {
  draft: string;
  gpus: number;
}

export const ask =
  (n: number, { draft: name, gpus }: Wish): Step =>
  (known) => {
    const at = pick(known.sessions, n);
    if (at === undefined) return undefined;
    const { token, delegation } = known.sessions[at]!;
    return {
      verb: 'ask',
      name: `session ${at} files for ${gpus} GPUs as ${name}`,
      run: (world) => outcomeOf(file(world, token, draft(world.tenantId, name, gpus)).then((id) => ({ id }))),
      take(m, outcome) {
        if (!isLiveSession(m, m.sessions[at]!)) return 'UNAUTHENTICATED';
        const open = m.confirmations.find(
          (c) => c.delegation === delegation && c.draft === name && c.gpus === gpus && c.status === 'pending' && c.expiresAt > m.now,
        );
        if (open && outcome.code === 'ok' && idOf(outcome) !== open.id) throw new Error('the same request was put to the person twice');
        if (open) return 'ok';
        if (isCoolingDown(m, delegation, gpus) || isOverBudget(m, delegation)) return 'RATE_LIMITED';
        const expiresAt = m.now + 30 * MINUTE;
        const rest = { delegation, draft: name, gpus, createdAt: m.now, expiresAt, decidedAt: undefined, decidedBy: undefined };
        m.confirmations.push({ id: idOf(outcome), status: 'pending', ...rest });
        return 'ok';
      },
    };
  };

export const settle =
  (n: number, who: 'alex' | 'blake' | 'owner', isApproved: boolean): Step =>
  (known) => {
    const at = pick(known.confirmations, n);
    if (at === undefined) return undefined;
    const { id: confirmationId } = known.confirmations[at]!;
    return {
      verb: 'settle',
      name: `${who} ${isApproved ? 'approves' : 'rejects'} confirmation ${at}`,
      run: (world) => outcomeOf(world.iam.api.delegations.decideConfirmation(world[who], { confirmationId, approve: isApproved })),
      take(m) {
        const c = m.confirmations[at]!;
        if (who === 'owner' || (who === 'blake' && !hasDeputy(m))) return 'NOT_FOUND';
        if (c.status !== 'pending' || c.expiresAt <= m.now) return 'INVALID_TRANSITION';
        if (!isLiveDelegation(m, c.delegation)) return 'DELEGATION_INACTIVE';
        const expiresAt = isApproved ? m.now + HOUR : m.now;
        Object.assign(c, { status: isApproved ? 'approved' : 'rejected', decidedAt: m.now, decidedBy: who, expiresAt });
        return 'ok';
      },
    };
  };

export const use =
  (n: number, { draft: name, gpus }: Wish): Step =>
  (known) => {
    const at = pick(known.sessions, n);
    if (at === undefined) return undefined;
    const { token, delegation } = known.sessions[at]!;
    return {
      verb: 'use',
      name: `session ${at} takes ${gpus} GPUs as ${name}`,
      run: (world) => outcomeOf(decide(world, token, draft(world.tenantId, name, gpus)) as Promise<unknown>),
      take(m, { code, value }) {
        if (!isLiveSession(m, m.sessions[at]!)) return 'UNAUTHENTICATED';
        const [oldest] = m.confirmations
          .filter((c) => c.delegation === delegation && c.draft === name && c.gpus === gpus && c.status === 'approved' && c.expiresAt > m.now)
          .sort((a, b) => a.decidedAt! - b.decidedAt!);
        if (code === 'ok' && value?.confirmationId !== oldest?.id) throw new Error(`it was admitted on ${String(value?.confirmationId)}, not on ${oldest?.id}`);
        if (code === 'ok' && value?.reason !== (oldest ? 'ALLOWED' : 'CONFIRMATION_REQUIRED')) throw new Error(`it was answered ${String(value?.reason)}`);
        if (oldest) {
          oldest.status = 'used';
          m.effects.push(oldest.id);
        }
        return 'ok';
      },
    };
  };
