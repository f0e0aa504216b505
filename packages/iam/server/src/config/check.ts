import { parsePermissions, parsePolicy } from '@better-iam/core';
import type { IamConfig } from '@better-iam/contract';
import type { Plane } from '../plane.ts';
import { refuse } from '../refuse.ts';
import { limits } from '../limits.ts';
import { type ConfigState, holderOf } from './state.ts';

const invalid = (path: string, what: string) => refuse('INVALID_INPUT', `config.${path} ${what}`, { details: { path: `config.${path}` } });

/** Checked, in the form it is kept. */
const document = (plane: Plane, json: unknown): Record<string, unknown> => ({ ...parsePolicy(json, plane.catalog) });

/** A file whose every name is known, in the form `readState` gives: nothing of what follows can fail by what it says. Throws naming the member. */
export function checkedConfig(plane: Plane, state: ConfigState, config: IamConfig): IamConfig {
  if (config.organization !== state.config.organization) throw invalid('organization', `is another one than ${state.config.organization}`);
  for (const noun of ['policies', 'roles', 'agents'] as const) checkUnique(noun, config[noun]);
  return {
    version: 1,
    organization: config.organization,
    ...(config.boundary === undefined ? {} : { boundary: document(plane, config.boundary) }),
    policies: byName(config.policies.map(({ name, document: own }) => ({ name, document: document(plane, own) }))),
    roles: byName(config.roles.map((role, n) => checkedRole(plane, state, config, role, `roles[${n}]`))),
    agents: byName(config.agents.map((agent, n) => checkedAgent(plane, state, agent, `agents[${n}]`))),
  };
}

const byName = <T extends { name: string }>(items: T[]): T[] => [...items].sort((a, b) => (a.name < b.name ? -1 : 1));

function checkUnique(noun: string, items: readonly { name: string }[]): void {
  const seen = new Set<string>();
  for (const [n, { name }] of items.entries()) {
    if (seen.has(name)) throw invalid(`${noun}[${n}].name`, 'is taken in this file');
    seen.add(name);
  }
}

type Role = IamConfig['roles'][number];

function checkedRole(plane: Plane, state: ConfigState, config: IamConfig, role: Role, path: string): Role {
  if (role.permissions && role.document) throw invalid(path, 'has permissions and a document: give one of them');
  if (role.permissions) parsePermissions(role.permissions, plane.catalog);
  if (state.versions.get(`roles/${role.name}`) === undefined && role.name === 'Owner')
    throw invalid(`${path}.name`, 'is the Owner role, which is no part of a file');
  const known = (names: readonly string[] | undefined, of: readonly { name: string }[], member: string): string[] => {
    for (const [n, name] of (names ?? []).entries()) if (!of.some((one) => one.name === name)) throw invalid(`${path}.${member}[${n}]`, 'is not in this file');
    return [...new Set(names)].sort();
  };
  const policies = known(role.policies, config.policies, 'policies');
  const inherits = known(role.inherits, config.roles, 'inherits');
  if (reachesItself(config.roles, role.name)) throw invalid(`${path}.inherits`, 'leads back to the role itself');
  return {
    name: role.name,
    ...(role.permissions ? { permissions: role.permissions } : {}),
    ...(role.document ? { document: document(plane, role.document) } : {}),
    ...(policies.length > 0 ? { policies } : {}),
    ...(inherits.length > 0 ? { inherits } : {}),
    boundTo: checkedBindings(state, config, role, path),
  };
}

function checkedBindings(state: ConfigState, config: IamConfig, role: Role, path: string): Role['boundTo'] {
  const seen = new Set<string>();
  for (const [n, bound] of role.boundTo.entries()) {
    const holder = holderOf(bound);
    const isKnown = 'agent' in bound ? config.agents.some((agent) => agent.name === bound.agent) : state.holders.has(holder);
    if (!isKnown) throw invalid(`${path}.boundTo[${n}]`, 'is nobody of this organization');
    if (seen.has(holder)) throw invalid(`${path}.boundTo[${n}]`, 'is there twice');
    seen.add(holder);
  }
  return [...role.boundTo].sort((a, b) => (holderOf(a) < holderOf(b) ? -1 : 1));
}

function reachesItself(roles: readonly Role[], start: string): boolean {
  const parents = new Map(roles.map((role) => [role.name, role.inherits ?? []]));
  const seen = new Set<string>();
  const open = [...(parents.get(start) ?? [])];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (name === start) return true;
    if (!seen.has(name)) open.push(...(parents.get(name) ?? []));
    seen.add(name);
  }
  return false;
}

type Agent = IamConfig['agents'][number];

function checkedAgent(plane: Plane, state: ConfigState, agent: Agent, path: string): Agent {
  if (!state.holders.has(`person:${agent.sponsor}`)) throw refuse('INVALID_SPONSOR', `config.${path}.sponsor is no person of this organization`);
  const { delegable, maxDelegatedSessionSeconds, boundary, ...rest } = agent;
  return {
    ...rest,
    ...(boundary === undefined ? {} : { boundary: document(plane, boundary) }),
    ...(delegable === false ? { delegable } : {}),
    ...(maxDelegatedSessionSeconds === undefined || maxDelegatedSessionSeconds === limits.agentSessionDefaultSeconds ? {} : { maxDelegatedSessionSeconds }),
  };
}
