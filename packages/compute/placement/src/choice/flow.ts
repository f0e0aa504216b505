/** Largest flow through a small network (Edmonds–Karp), edges in flat arrays: edge e and its reverse e ^ 1. */
export class Flow {
  private readonly head: number[] = [];
  private readonly next: number[] = [];
  private readonly to: number[] = [];
  private readonly room: number[] = [];
  /** Edges looked at: what a bounded search counts. */
  work = 0;

  /** A new point of the network. */
  point(): number {
    return this.head.push(-1) - 1;
  }

  /** A new edge; its number is for `used`. */
  edge(from: number, to: number, capacity: number): number {
    const edge = this.to.length;
    this.to.push(to, from);
    this.room.push(capacity, 0);
    this.next.push(this.head[from] as number, this.head[to] as number);
    this.head[from] = edge;
    this.head[to] = edge + 1;
    return edge;
  }

  used(edge: number): number {
    return this.room[edge ^ 1] as number;
  }

  run(source: number, sink: number): number {
    let total = 0;
    for (;;) {
      const via = this.path(source, sink);
      if (!via) return total;
      let amount = Infinity;
      for (let at = sink; at !== source; at = this.to[(via[at] as number) ^ 1] as number) amount = Math.min(amount, this.room[via[at] as number] as number);
      for (let at = sink; at !== source; at = this.to[(via[at] as number) ^ 1] as number) {
        const edge = via[at] as number;
        this.room[edge] = (this.room[edge] as number) - amount;
        this.room[edge ^ 1] = (this.room[edge ^ 1] as number) + amount;
      }
      total += amount;
    }
  }

  /** By point, the edge over which a shortest path with room comes to it. */
  private path(source: number, sink: number): Int32Array | undefined {
    const via = new Int32Array(this.head.length).fill(-1);
    const queue = [source];
    for (const at of queue) {
      for (let edge = this.head[at] as number; edge >= 0; edge = this.next[edge] as number) {
        this.work++;
        const to = this.to[edge] as number;
        if (to === source || (via[to] as number) >= 0 || (this.room[edge] as number) === 0) continue;
        via[to] = edge;
        if (to === sink) return via;
        queue.push(to);
      }
    }
    return undefined;
  }
}
