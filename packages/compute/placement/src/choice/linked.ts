import type { DeviceRequest } from '../request.ts';
import type { Ask } from './ask.ts';
import type { Part } from './choose.ts';
import { chooseSeveral, largestFirst } from './open.ts';
import type { Pool } from './pool.ts';
import type { Room } from './rooms.ts';

/** All in one NVLink domain when no node holds it: the domain that needs fewest nodes, of equal ones the one with least room. */
export function chooseLinked(pool: Pool, ask: Ask, part: DeviceRequest, rooms: readonly Room[]): Part[] | undefined {
  let best: { rooms: readonly Room[]; nodes: number; gpus: number } | undefined;
  for (const inDomain of domainsOf(rooms)) {
    const gpus = inDomain.reduce((sum, room) => sum + room.most, 0);
    if (gpus < part.count) continue;
    const nodes = nodesFor(inDomain, part.count);
    if (!best || nodes < best.nodes || (nodes === best.nodes && gpus < best.gpus)) best = { rooms: inDomain, nodes, gpus };
  }
  return best && chooseSeveral(pool, ask, part, best.rooms);
}

export function domainsOf(rooms: readonly Room[]): Iterable<Room[]> {
  return Map.groupBy(rooms, (room) => room.domain).values();
}

function nodesFor(rooms: readonly Room[], count: number): number {
  let left = count;
  let nodes = 0;
  for (const room of largestFirst(rooms)) {
    if (left <= 0) break;
    left -= room.most;
    nodes++;
  }
  return nodes;
}
