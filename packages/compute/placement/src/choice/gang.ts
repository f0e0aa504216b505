import { lowestOf } from '../fold/bits.ts';
import type { Slot } from '../fold/slot.ts';
import { GANG_WORK_MAX, NETWORK_WORK } from '../limits.ts';
import type { DeviceRequest } from '../request.ts';
import { type Ask, isLinked, unitsOf } from './ask.ts';
import type { Allowance, Choice, Pick } from './choose.ts';
import { Flow } from './flow.ts';
import type { Pool } from './pool.ts';
import { roomsOf, unitsLeft } from './rooms.ts';
import { ride } from './whole-gang.ts';

/** Free GPUs of one node that no part of the gang can tell apart; for a gang without GPUs, the node's units of host. */
interface Kind {
  node: number;
  domain: number;
  parts: number;
  count: number;
  mask: number;
}

interface Network {
  nodes: { slot: Slot; most: number }[];
  kinds: Kind[];
  /** What each part needs: GPUs, or one unit of host. */
  needs: number[];
}

/**
 * All parts together. Once each part that asks for NVLink has a domain, who gets what is a flow from parts through kinds of GPU and nodes,
 * solved exactly; which domains is a search that gives up a branch as soon as even the flow without the domains still open fails.
 */
export function chooseGang(pool: Pool, ask: Ask, allowance: Allowance = { left: GANG_WORK_MAX }): Choice {
  if (allowance.left <= 0) return { picks: undefined, isProven: false };
  const network = networkOf(pool, ask);
  const linked = ask.parts.map((part, i) => ({ part, i })).filter(({ part }) => isLinked(part));
  const domains: number[] = ask.parts.map(() => -1);
  const search = (depth: number): Pick[] | undefined => {
    const picks = flowPicks(network, domains, (edges) => {
      allowance.left -= edges;
    });
    if (!picks || depth === linked.length) return picks;
    const { part, i } = linked[depth] as { part: DeviceRequest; i: number };
    for (const domain of domainsFor(network, i, part.count)) {
      if (allowance.left < 0) break;
      domains[i] = domain;
      const found = search(depth + 1);
      if (found) return found;
    }
    domains[i] = -1;
    return undefined;
  };
  linked.sort((a, b) => b.part.count - a.part.count);
  const riding = ask.parts.some((part) => part.count > 0) ? ride(pool, ask) : [];
  const picks = riding && search(0);
  const isProven = picks !== undefined || allowance.left >= 0;
  allowance.left -= NETWORK_WORK * ask.parts.length * pool.fold.slots.length;
  return { picks: picks && [...picks, ...(riding ?? [])].sort((a, b) => a.requestIndex - b.requestIndex), isProven };
}

/** Domains that could hold the part if it were alone, the tightest first. */
function domainsFor(network: Network, part: number, count: number): number[] {
  const sizes = new Map<number, number>();
  for (const kind of network.kinds) if (kind.domain >= 0 && kind.parts & (1 << part)) sizes.set(kind.domain, (sizes.get(kind.domain) ?? 0) + kind.count);
  return [...sizes]
    .filter(([, size]) => size >= count)
    .sort((a, b) => a[1] - b[1])
    .map(([domain]) => domain);
}

function networkOf(pool: Pool, ask: Ask): Network {
  const nodes = new Map<Slot, { index: number; byPart: number[]; most: number }>();
  ask.parts.forEach((part, i) => {
    // As many as any of the gang could take here, from any domain: each part's own limits are edges of the flow.
    const isRiding = part.count === 0 && unitsOf(ask, part, 0) === 0;
    if (isRiding) return;
    const wide = { ...part, nvlink: false, count: part.count === 0 ? 0 : Number.MAX_SAFE_INTEGER };
    for (const { slot, mask, most } of roomsOf(pool, ask, wide, part.count === 0 ? 0 : 1)) {
      const node = nodes.get(slot) ?? { index: nodes.size, byPart: ask.parts.map(() => 0), most: 0 };
      node.byPart[i] = part.count === 0 ? -1 : mask;
      node.most = Math.max(node.most, part.count === 0 ? unitsLeft(ask, slot, ask.parts.length) : most);
      nodes.set(slot, node);
    }
  });
  const kinds = [...nodes].flatMap(([slot, node]) => kindsOf(ask, slot, node));
  return { nodes: [...nodes].map(([slot, { most }]) => ({ slot, most })), kinds, needs: ask.parts.map((part) => part.count || unitsOf(ask, part, 0)) };
}

function kindsOf(ask: Ask, slot: Slot, node: { index: number; byPart: number[]; most: number }): Kind[] {
  if (ask.parts.every((part) => part.count === 0)) {
    const parts = node.byPart.reduce((bits, mask, i) => (mask === 0 ? bits : bits | (1 << i)), 0);
    return [{ node: node.index, domain: -1, parts, count: node.most, mask: 0 }];
  }
  const kinds = new Map<string, Kind>();
  for (let left = node.byPart.reduce((all, mask) => all | mask, 0); left !== 0; left &= left - 1) {
    const bit = left & -left;
    const domain = slot.domains.find((d) => d.mask & bit)?.id ?? -1;
    const parts = node.byPart.reduce((bits, mask, i) => (mask & bit ? bits | (1 << i) : bits), 0);
    const kind = kinds.get(`${domain} ${parts}`) ?? { node: node.index, domain, parts, count: 0, mask: 0 };
    kind.count++;
    kind.mask |= bit;
    kinds.set(`${domain} ${parts}`, kind);
  }
  return [...kinds.values()];
}

/** `domains` by part: -1 = any. */
function flowPicks(network: Network, domains: readonly number[], count: (edges: number) => void): Pick[] | undefined {
  const flow = new Flow();
  const source = flow.point();
  const sink = flow.point();
  const parts = network.needs.map((need) => {
    const point = flow.point();
    flow.edge(source, point, need);
    return point;
  });
  const nodes = network.nodes.map(({ most }) => {
    const point = flow.point();
    flow.edge(point, sink, most);
    return point;
  });
  const given: { part: number; kind: Kind; edge: number }[] = [];
  for (const kind of network.kinds) {
    const point = flow.point();
    flow.edge(point, nodes[kind.node] as number, kind.count);
    for (let part = 0; part < parts.length; part++) {
      const domain = domains[part] as number;
      if (kind.parts & (1 << part) && (domain < 0 || domain === kind.domain))
        given.push({ part, kind, edge: flow.edge(parts[part] as number, point, kind.count) });
    }
  }
  const total = flow.run(source, sink);
  count(flow.work);
  return total === network.needs.reduce((sum, need) => sum + need, 0)
    ? picksOf(
        network,
        given.map((g) => ({ ...g, amount: flow.used(g.edge) })),
      )
    : undefined;
}

function picksOf(network: Network, given: readonly { part: number; kind: Kind; amount: number }[]): Pick[] {
  const left = new Map(network.kinds.map((kind) => [kind, kind.mask]));
  const picks = new Map<string, Pick>();
  for (const { part, kind, amount } of given) {
    if (amount === 0) continue;
    const { slot } = network.nodes[kind.node] as { slot: Slot };
    const pick = picks.get(`${part} ${kind.node}`) ?? { requestIndex: part, slot, mask: 0 };
    for (let i = 0; i < amount && kind.mask !== 0; i++) {
      const mask = left.get(kind) as number;
      const bit = 1 << lowestOf(mask);
      pick.mask |= bit;
      left.set(kind, mask & ~bit);
    }
    picks.set(`${part} ${kind.node}`, pick);
  }
  return [...picks.values()];
}
