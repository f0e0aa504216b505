import { endHandoffs, HOUR } from './model.ts';
import { makeKey, outcomeOf } from './outcome.ts';
import { idOf, pick, type Step } from './steps.ts';

export const suspend =
  (agent: number, isSuspended: boolean): Step =>
  (known) => ({
    verb: 'suspend',
    name: `the owner ${isSuspended ? 'suspends' : 'resumes'} ${agent}`,
    run: ({ iam, owner }) => {
      const input = { agentId: known.agents[agent]!.id };
      return outcomeOf(isSuspended ? iam.api.agents.suspend(owner, input) : iam.api.agents.resume(owner, input));
    },
    take(m) {
      if (m.agents[agent]!.isSuspended === isSuspended) return 'INVALID_TRANSITION';
      m.agents[agent]!.isSuspended = isSuspended;
      if (isSuspended) {
        for (const session of m.sessions) if (m.delegations[session.delegation]!.agent === agent) session.isEnded = true;
        endHandoffs(m, (above) => above.agent === agent);
      }
      return 'ok';
    },
  });

/** The key in use is revoked; another is made for what comes. */
export const changeKey =
  (agent: number): Step =>
  ({ agents }) => {
    const { id: agentId, keys } = agents[agent]!;
    const place = keys.length - 1;
    return {
      verb: 'changeKey',
      name: `the owner revokes key ${place} of ${agent}`,
      run: async (world) => {
        const outcome = await outcomeOf(world.iam.api.credentials.revoke(world.owner, { credentialId: keys[place]!.id }));
        return outcome.code === 'ok' ? { code: 'ok', value: { next: await makeKey(world, agentId) } } : outcome;
      },
      take(m, { value }) {
        const own = m.agents[agent]!.keys;
        if (own[place]!.isRevoked) return 'INVALID_TRANSITION';
        own[place]!.isRevoked = true;
        own.push(value?.next as (typeof own)[number]);
        endHandoffs(m, (above, below) => above.agent === agent && below.parentKey === place);
        return 'ok';
      },
    };
  };

export const nameDeputy = (): Step => (known) => ({
  verb: 'nameDeputy',
  name: 'alex names blake for an hour',
  run: ({ iam, alex, blake }) => outcomeOf(iam.api.delegations.setDeputy(alex, { deputyId: blake.id, endsAt: known.now + HOUR })),
  take(m, outcome) {
    if (m.deputies.filter((d) => !d.isEnded && d.endsAt > m.now).length >= 3) return 'LIMIT_EXCEEDED';
    m.deputies.push({ id: idOf(outcome), endsAt: known.now + HOUR, isEnded: false });
    return 'ok';
  },
});

export const endDeputy =
  (n: number): Step =>
  (known) => {
    const at = pick(known.deputies, n);
    if (at === undefined) return undefined;
    const { id: deputyId } = known.deputies[at]!;
    return {
      verb: 'endDeputy',
      name: `alex ends deputy ${at}`,
      run: ({ iam, alex }) => outcomeOf(iam.api.delegations.endDeputy(alex, { deputyId })),
      take(m) {
        const d = m.deputies[at]!;
        if (d.isEnded || d.endsAt <= m.now) return 'INVALID_TRANSITION';
        d.isEnded = true;
        return 'ok';
      },
    };
  };
