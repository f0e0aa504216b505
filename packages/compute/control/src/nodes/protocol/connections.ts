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

  /** False when there is no room for one more stranger: silent ones must not keep nodes out, and a node speaks at once. */
  makeRoom(now: number): boolean {
    const strangers = [...this.all].filter((connection) => !connection.node);
    if (strangers.length < limits.strangersMax) return true;
    const oldest = strangers[0]!;
    if (now - oldest.openedAt < limits.strangerPatienceMs) return false;
    oldest.terminate();
    this.all.delete(oldest);
    return true;
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
