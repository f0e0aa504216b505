import type { Database, OutboxEvent } from '@kit/store';
import { expect, test } from 'vitest';
import { followNodes } from './follow.ts';

test('compute§4.1 a node is told when it is given work or was removed, and of nothing else', () => {
  let deliver: (event: Pick<OutboxEvent, 'topic' | 'key' | 'payload'>) => void = () => {};
  let isStopped = false;
  const database = { subscribe: (fn: typeof deliver) => ((deliver = fn), () => (isStopped = true)) } as unknown as Database;
  const told: string[] = [];
  const stop = followNodes(database)((nodeId) => told.push(nodeId));
  deliver({ topic: 'compute.works', key: 'node_1', payload: { generation: 2 } });
  deliver({ topic: 'compute.node', key: 'node_2', payload: { state: 'removed' } });
  deliver({ topic: 'compute.node', key: 'node_3', payload: { state: 'ready' } });
  deliver({ topic: 'compute.command', key: 'cmd_1', payload: { state: 'queued' } });
  expect(told).toEqual(['node_1', 'node_2']);
  stop();
  expect(isStopped).toBe(true);
});
