import type { Queryable } from '@kit/store';

export interface HistoryRow {
  seq: number;
  kind: 'claim' | 'extend' | 'end';
  claimId: string;
  gpuUuids: string[];
  from: number;
  to: number;
}

export const readHistory = (q: Queryable, poolId: string): Promise<HistoryRow[]> =>
  q.rows<HistoryRow>(
    'select seq, kind, claim_id as "claimId", gpu_uuids as "gpuUuids", from_at as "from", to_at as "to" from compute.ledger where pool_id = $1 order by seq',
    [poolId],
  );

/**
 * Walks a pool's history in order and keeps, for each GPU, who has it when. Written apart from the fold: it knows
 * nothing but that two claims of one GPU may never share a moment, at any point of the history.
 */
export function overlapsOf(history: readonly HistoryRow[]): string[] {
  const byGpu = new Map<string, Map<string, { from: number; to: number }>>();
  const overlaps: string[] = [];
  for (const { seq, claimId, gpuUuids, from, to } of history) {
    for (const uuid of gpuUuids) {
      const claims = byGpu.get(uuid) ?? new Map();
      byGpu.set(uuid, claims.set(claimId, { from, to }));
      for (const [otherId, other] of claims) {
        if (otherId !== claimId && from < other.to && other.from < to) overlaps.push(`${seq}: ${claimId} and ${otherId} on ${uuid}`);
      }
    }
  }
  return overlaps;
}
