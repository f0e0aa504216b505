import { createLedger, type Ledger, type NodeShape, type PlaceResult } from '@better-compute/placement';
import { cpuMs } from '../cpu-clock.ts';
import type { Random } from '../random.ts';
import { type Mix, requestAt } from './requests.ts';

const HOUR_MS = 3_600_000;
const MEAN_GPU_HOURS = 4.2 * 24.5;

export interface LiveSamples {
  /** Milliseconds of each placement with its claims, and of the ends that came due since the one before. */
  placedMs: number[];
  /** All of those together in CPU time, which other load on the machine changes least: the run's, cut as the clock's time was. */
  placedCpuMs: number;
  /** The better of two times, as a machine with other load stops a call for longer than it takes. */
  refusedMs: number[];
  liveIntervals: number;
  laterIntervals: number;
}

/** A pool under steady demand (a share of its capacity) on a clock of its own: warms up, then measures. */
export class LivePool {
  readonly ledger: Ledger;
  now = 0;
  private readonly gpus: number;
  private readonly mix: Mix;
  private readonly random: Random;
  private readonly demand: number;
  private readonly ending = new Map<number, string[]>();
  private readonly live = new Map<string, { from: number; gpus: number }>();
  private claims = 0;
  private prunedAt = 0;

  constructor(nodes: readonly NodeShape[], mix: Mix, demand: number, random: Random) {
    this.ledger = createLedger({ seed: 7, nodes });
    this.gpus = nodes.reduce((sum, node) => sum + node.gpus.length, 0);
    this.mix = mix;
    this.demand = demand;
    this.random = random;
  }

  run(hours: number): LiveSamples {
    const samples: LiveSamples = { placedMs: [], placedCpuMs: 0, refusedMs: [], liveIntervals: 0, laterIntervals: 0 };
    const until = this.now + hours * HOUR_MS;
    const everyMs = HOUR_MS / ((this.gpus * this.demand) / MEAN_GPU_HOURS);
    const beganCpu = cpuMs();
    while (this.now < until) {
      this.now += everyMs;
      const request = requestAt(Math.round(this.now), this.mix, this.random);
      const began = performance.now();
      this.endDue();
      this.ledger.learn(request);
      const placing = performance.now();
      const result = this.ledger.place(request, Math.round(this.now));
      if (!result.ok) {
        const first = performance.now();
        this.ledger.place(request, Math.round(this.now));
        samples.refusedMs.push(Math.min(first - placing, performance.now() - first));
        continue;
      }
      this.book(result);
      samples.placedMs.push(performance.now() - began);
    }
    const [placed, refused] = [sumOf(samples.placedMs), sumOf(samples.refusedMs)];
    samples.placedCpuMs = ((cpuMs() - beganCpu) * placed) / (placed + 2 * refused);
    for (const { from, gpus } of this.live.values()) {
      samples.liveIntervals += gpus;
      if (from > this.now) samples.laterIntervals += gpus;
    }
    return samples;
  }

  private book(result: Extract<PlaceResult, { ok: true }>): void {
    for (const claim of result.claims) {
      const claimId = `c${this.claims++}`;
      this.ledger.claim({ ...claim, claimId });
      const hour = Math.ceil(claim.to / HOUR_MS);
      const due = this.ending.get(hour);
      if (due) due.push(claimId);
      else this.ending.set(hour, [claimId]);
      this.live.set(claimId, { from: claim.from, gpus: claim.gpuUuids.length });
    }
  }

  /** Claims end on their own as time passes; the sweeper forgets them once an hour. */
  private endDue(): void {
    const hour = Math.floor(this.now / HOUR_MS);
    if (hour === this.prunedAt) return;
    for (let h = this.prunedAt + 1; h <= hour; h++) {
      for (const claimId of this.ending.get(h) ?? []) {
        this.ledger.end(claimId, this.now);
        this.live.delete(claimId);
      }
      this.ending.delete(h);
    }
    this.ledger.prune(this.now);
    this.prunedAt = hour;
  }
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
