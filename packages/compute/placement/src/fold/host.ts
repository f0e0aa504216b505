/** Host resources in thousandths of a vCPU and MiB. */
export interface Host {
  cpuMilli: number;
  memoryMib: number;
}

/** What claims take of one node's host resources and when, flat: from, to, cpu, memory of each, in no order. */
export class HostClaims {
  /** Of all claims, whenever they are: when even this fits, no peak needs to be looked for. */
  cpuSum = 0;
  memorySum = 0;
  private size = 0;
  private claims = new Float64Array(32);

  insert(from: number, to: number, { cpuMilli, memoryMib }: Host): void {
    if (cpuMilli === 0 && memoryMib === 0) return;
    if (this.size === this.claims.length) {
      const claims = new Float64Array(2 * this.size);
      claims.set(this.claims);
      this.claims = claims;
    }
    this.claims.set([from, to, cpuMilli, memoryMib], this.size);
    this.size += 4;
    this.cpuSum += cpuMilli;
    this.memorySum += memoryMib;
  }

  remove(from: number, to: number, host: Host): void {
    const at = this.find(from, to, host);
    if (at < 0) return;
    this.size -= 4;
    this.claims.copyWithin(at, this.size, this.size + 4);
    this.cpuSum -= host.cpuMilli;
    this.memorySum -= host.memoryMib;
  }

  moveEnd(from: number, to: number, host: Host, end: number): void {
    const at = this.find(from, to, host);
    if (at >= 0) this.claims[at + 1] = end;
  }

  /** The most of each claimed at any moment of [from, to). The load can only rise where a claim starts, so it is looked at there alone. */
  peak(from: number, to: number, out: Host): void {
    const { claims, size } = this;
    this.loadAt(from, out);
    let { cpuMilli, memoryMib } = out;
    for (let at = 0; at < size; at += 4) {
      const start = claims[at] as number;
      if (start <= from || start >= to) continue;
      this.loadAt(start, out);
      if (out.cpuMilli > cpuMilli) cpuMilli = out.cpuMilli;
      if (out.memoryMib > memoryMib) memoryMib = out.memoryMib;
    }
    out.cpuMilli = cpuMilli;
    out.memoryMib = memoryMib;
  }

  private loadAt(moment: number, out: Host): void {
    const { claims, size } = this;
    let cpu = 0;
    let memory = 0;
    for (let at = 0; at < size; at += 4) {
      if ((claims[at] as number) > moment || (claims[at + 1] as number) <= moment) continue;
      cpu += claims[at + 2] as number;
      memory += claims[at + 3] as number;
    }
    out.cpuMilli = cpu;
    out.memoryMib = memory;
  }

  private find(from: number, to: number, { cpuMilli, memoryMib }: Host): number {
    const { claims, size } = this;
    for (let at = 0; at < size; at += 4) {
      if (claims[at] === from && claims[at + 1] === to && claims[at + 2] === cpuMilli && claims[at + 3] === memoryMib) return at;
    }
    return -1;
  }
}
