import { closeCodes } from './close-codes.ts';
import type { Connection } from './connection.ts';
import { limits } from './limits.ts';

/** Every open connection of this process, and the one of each node. */
export class Connections {
  private readonly all = new Set<Connection>();
  private readonly byNode = new Map<string, Connection>();

  get isEmpty(): boolean {
    return this.all.size === 0;
  }

  get isFull(): boolean {
    let strangers = 0;
    for (const connection of this.all) if (!connection.node) strangers++;
    return strangers >= limits.strangersMax;
  }

  add(connection: Connection): void {
    this.all.add(connection);
  }

  /** One node has one connection: the later start's, and of one start the later connection. */
  greeted(connection: Connection): void {
    const { nodeId, incarnation } = connection.node!;
    const before = this.byNode.get(nodeId);
    if (before && before.node!.incarnation > incarnation) return connection.close(closeCodes.superseded);
    this.byNode.set(nodeId, connection);
    if (before !== connection) before?.close(closeCodes.superseded);
  }

  delete(connection: Connection): void {
    this.all.delete(connection);
    const nodeId = connection.node?.nodeId;
    if (nodeId !== undefined && this.byNode.get(nodeId) === connection) this.byNode.delete(nodeId);
  }

  of(nodeId: string): Connection | undefined {
    return this.byNode.get(nodeId);
  }

  [Symbol.iterator](): Iterator<Connection> {
    return this.all.values();
  }
}
