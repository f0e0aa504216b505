import { gaps } from './gaps.ts';
import { requirements } from './requirements.ts';

const seedNumber = (id: string): number => Number(/^B(\d+)$/.exec(id)?.[1] ?? Number.NaN);

/** Runs of seed statements are drawn together: `B54–B59, B86, iam§16`. Order is kept. */
export function compactIds(ids: readonly string[]): string {
  const runs: [first: string, last: string][] = [];
  for (const id of ids) {
    const open = runs.at(-1);
    if (open !== undefined && seedNumber(id) === seedNumber(open[1]) + 1) open[1] = id;
    else runs.push([id, id]);
  }
  return runs.map(([first, last]) => (first === last ? first : `${first}–${last}`)).join(', ');
}

/** The known gaps as they are printed at the end of every run: one line for each reason. */
export function gapLines(): string[] {
  const byReason = Map.groupBy(gaps, ({ reason }) => reason);
  const order = new Map(requirements.map(({ id }, index) => [id, index]));
  const sorted = (ids: string[]): string[] => ids.sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
  return [
    `known gaps: ${gaps.length} of ${requirements.length} requirements are shown by no test yet`,
    ...[...byReason].map(([reason, list]) => `  ${reason}: ${compactIds(sorted(list.map(({ id }) => id)))}`),
  ];
}
