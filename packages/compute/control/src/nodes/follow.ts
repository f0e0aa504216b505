import type { Database } from '@kit/store';

/** Tells of nodes of which something else may be wished now: they were given work, or removed. */
export const followNodes =
  (database: Database) =>
  (changed: (nodeId: string) => void): (() => void) =>
    database.subscribe(({ topic, key, payload }) => {
      if (topic === 'compute.works' || (topic === 'compute.node' && (payload as { state?: unknown }).state === 'removed')) changed(key);
    });
