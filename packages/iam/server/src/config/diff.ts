import { canonicalJson } from '@better-iam/core';
import type { ConfigChange, IamConfig } from '@better-iam/contract';
import { bindingPath, type ConfigState } from './state.ts';

type Risk = ConfigChange['risk'];
type Role = IamConfig['roles'][number];
type Agent = IamConfig['agents'][number];

const isSame = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b);

/** Everything that applying would do, in one order; pure. `wanted` is as `checkedConfig` gives it. */
export function diff({ config: current, delegations }: ConfigState, wanted: IamConfig): ConfigChange[] {
  const roles = (config: IamConfig) => new Map(config.roles.map((role) => [`roles/${role.name}`, termsOf(role)]));
  const agents = (config: IamConfig) => new Map(config.agents.map((agent) => [`agents/${agent.name}`, agent]));
  return [
    ...changesOf(one('boundary', current.boundary), one('boundary', wanted.boundary), { risk: boundaryRisk }),
    ...changesOf(documents(current), documents(wanted), { risk: documentRisk }),
    ...changesOf(roles(current), roles(wanted), { risk: roleRisk }),
    ...changesOf(bindings(current), bindings(wanted), { risk: (before) => (before === undefined ? 'widens' : 'none') }),
    ...changesOf(agents(current), agents(wanted), { risk: agentRisk }).map((change) =>
      change.op === 'delete' ? { ...change, ends: { delegations: delegations.get((change.before as Agent).name) ?? 0 } } : change,
    ),
  ];
}

const one = (path: string, value: unknown): Map<string, unknown> => new Map(value === undefined ? [] : [[path, value]]);
const documents = ({ policies }: IamConfig): Map<string, unknown> => new Map(policies.map((policy) => [`policies/${policy.name}`, policy.document]));
const termsOf = ({ boundTo: _boundTo, ...terms }: Role): Omit<Role, 'boundTo'> => terms;
const bindings = ({ roles }: IamConfig): Map<string, unknown> =>
  new Map(roles.flatMap((role) => role.boundTo.map((bound): [string, unknown] => [bindingPath(role.name, bound), bound])));

function changesOf<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  o: { risk(before: T | undefined, after: T | undefined): Risk },
): ConfigChange[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths.flatMap((path): ConfigChange[] => {
    const [was, is] = [before.get(path), after.get(path)];
    if (was === undefined) return [{ op: 'create', path, after: is, risk: o.risk(was, is) }];
    if (is === undefined) return [{ op: 'delete', path, before: was, risk: path === 'boundary' ? 'widens' : 'destroys' }];
    return isSame(was, is) ? [] : [{ op: 'update', path, before: was, after: is, risk: o.risk(was, is) }];
  });
}

interface Statements {
  statements: readonly { effect: 'allow' | 'deny' }[];
}

/** What a changed document may come to: more by what is added to allows or taken from denies. A statement that was changed is both. */
function documentRisk(before: unknown, after: unknown): Risk {
  if (before === undefined) return 'none';
  const [was, is] = [(before as Statements).statements, (after as Statements).statements];
  const gone = was.filter((statement) => !is.some((other) => isSame(other, statement)));
  const added = is.filter((statement) => !was.some((other) => isSame(other, statement)));
  if (added.some(({ effect }) => effect === 'allow') || gone.some(({ effect }) => effect === 'deny')) return 'widens';
  return gone.length + added.length > 0 ? 'narrows' : 'none';
}

const boundaryRisk = (before: unknown, after: unknown): Risk => (before === undefined ? 'narrows' : documentRisk(before, after));

function listRisk(before: readonly string[] = [], after: readonly string[] = []): Risk {
  if (after.some((item) => !before.includes(item))) return 'widens';
  return before.some((item) => !after.includes(item)) ? 'narrows' : 'none';
}

const worst = (...risks: Risk[]): Risk => (risks.includes('widens') ? 'widens' : risks.includes('narrows') ? 'narrows' : 'none');
const empty: Statements = { statements: [] };

/** A role that nobody has yet gives nothing; who gets it is a change of its own. */
function roleRisk(before: Omit<Role, 'boundTo'> | undefined, after: Omit<Role, 'boundTo'> | undefined): Risk {
  if (before === undefined || after === undefined) return 'none';
  return worst(
    listRisk(before.permissions, after.permissions),
    documentRisk(before.document ?? empty, after.document ?? empty),
    // a policy may deny, so either way may be more
    isSame(before.policies ?? [], after.policies ?? []) ? 'none' : 'widens',
    listRisk(before.inherits, after.inherits),
  );
}

function agentRisk(before: Agent | undefined, after: Agent | undefined): Risk {
  if (before === undefined || after === undefined) return 'none';
  const more = (was: number, is: number): Risk => (is > was ? 'widens' : is < was ? 'narrows' : 'none');
  const endOf = ({ expiresAt }: Agent): number => expiresAt ?? Number.POSITIVE_INFINITY;
  return worst(
    before.boundary !== undefined && after.boundary === undefined
      ? 'widens'
      : after.boundary === undefined
        ? 'none'
        : boundaryRisk(before.boundary, after.boundary),
    more(Number(before.delegable ?? true), Number(after.delegable ?? true)),
    more(before.maxDelegatedSessionSeconds ?? 3_600, after.maxDelegatedSessionSeconds ?? 3_600),
    more(endOf(before), endOf(after)),
  );
}
