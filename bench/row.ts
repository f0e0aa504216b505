/** One measurement. `ok` is whether the must holds; a row without a must is always ok. */
export interface Row {
  id: string;
  group: string;
  value: number;
  unit: string;
  /** What the value stands beside, measured in the same run or published. */
  peer?: string;
  peerValue?: number;
  /** Beside the peer: the median over pairs of rounds where such were run, else value / peerValue. */
  ratio?: number;
  must?: string;
  goal?: string;
  ok: boolean;
}

export type Bound = { atLeast: number } | { atMost: number } | { above: number };

export interface Measured {
  id: string;
  value: number;
  unit: string;
  peer?: { name: string; value: number };
  /** The median over pairs of rounds, which a drifting machine does not move; value / peer if not said. */
  ratio?: number;
  /** What the bounds look at; the value itself if not said. */
  judged?: number;
  must?: Bound;
  goal?: Bound;
}

export function rowOf(group: string, { id, value, unit, peer, ratio, judged = ratio ?? value, must, goal }: Measured): Row {
  return {
    id,
    group,
    value: rounded(value),
    unit,
    ...(peer ? { peer: peer.name, peerValue: rounded(peer.value), ratio: rounded(ratio ?? value / peer.value) } : {}),
    ...(must ? { must: boundText(must) } : {}),
    ...(goal ? { goal: boundText(goal) + (holds(goal, judged) ? '' : ' (missed)') } : {}),
    ok: must === undefined || holds(must, judged),
  };
}

function holds(bound: Bound, value: number): boolean {
  if ('atLeast' in bound) return value >= bound.atLeast;
  return 'atMost' in bound ? value <= bound.atMost : value > bound.above;
}

function boundText(bound: Bound): string {
  if ('atLeast' in bound) return `≥ ${bound.atLeast}`;
  return 'atMost' in bound ? `≤ ${bound.atMost}` : `> ${bound.above}`;
}

function rounded(value: number): number {
  return Number(value.toPrecision(5));
}
