import { FIRST_REBUILD, REBUILD_GROWTH } from '../limits.ts';
import { type Popularity, keyOf } from '../potential/popularity.ts';
import { Potential, WEIGHTS, type Weights } from '../potential/potential.ts';
import { Scores } from './scores.ts';
import { ShareGroups } from './share-groups.ts';
import type { Demand, SharePool } from './share-pool.ts';

export interface PlacerOptions {
  weights?: Weights;
  /** From the rise of the potential, in GPUs, to a score (smallest wins). */
  score?: (riseGpus: number) => number;
  /** Rebuild the tables from what was learnt so far after every so many offers, first often, then rarely. False = the popularity is known. */
  learns?: boolean;
}

/** Places demands where the potential rises least; ties go to the first node in the pool's order, which the caller has shuffled. */
export class SharePlacer {
  private readonly pool: SharePool;
  private readonly popularity: Popularity;
  private readonly weights: Weights;
  private readonly scoreOf: (riseGpus: number) => number;
  private readonly learns: boolean;
  private readonly byShape = new Map<string, Scores>();
  private readonly log: number[] = [];
  /** By hash of a node's state, the last node in it. */
  private readonly twins = new Int32Array(4096);
  /** Per node, the last pass that scored it. */
  private readonly seen: Int32Array;
  private pass = 0;
  private readonly best = { gpu: 0 };
  private potential: Potential;
  private groups: ShareGroups;
  private tables = 0;
  private rebuildAt = FIRST_REBUILD;

  constructor(pool: SharePool, popularity: Popularity, options: PlacerOptions = {}) {
    this.pool = pool;
    this.seen = new Int32Array(pool.size);
    this.popularity = popularity;
    this.weights = options.weights ?? WEIGHTS;
    this.scoreOf = options.score ?? ((rise) => rise);
    this.learns = options.learns ?? true;
    this.potential = new Potential(popularity.shapes(), pool.kinds, this.weights);
    this.groups = new ShareGroups(pool, this.potential);
  }

  /** The node it was placed on, or -1. */
  offer(demand: Demand): number {
    const key = keyOf(demand);
    if (this.learns) this.learn(demand, key);
    const node = this.fresh(demand, key).best();
    if (node >= 0) this.place(node, demand);
    return node;
  }

  private place(node: number, demand: Demand): void {
    const isShare = demand.gpus === 1 && demand.gpuMilli < 1000;
    if (isShare) this.groups.rise(node, demand, this.best);
    this.pool.take(node, demand, isShare ? this.best.gpu : undefined);
    this.groups.refresh(node);
    this.log.push(node);
  }

  private learn(demand: Demand, key: string): void {
    this.popularity.learn(demand, key);
    if (this.popularity.learnt < this.rebuildAt) return;
    this.rebuildAt = Math.ceil(this.rebuildAt * REBUILD_GROWTH);
    this.potential = new Potential(this.popularity.shapes(), this.pool.kinds, this.weights);
    this.groups = new ShareGroups(this.pool, this.potential);
    this.tables++;
  }

  private fresh(demand: Demand, key: string): Scores {
    let scores = this.byShape.get(key);
    if (!scores) {
      scores = new Scores(this.pool.size, this.pool.allowed(demand));
      this.byShape.set(key, scores);
    }
    if (scores.tables !== this.tables) this.scoreAll(scores, demand);
    else this.scoreChanged(scores, demand);
    scores.tables = this.tables;
    scores.upTo = this.log.length;
    return scores;
  }

  /** Many nodes are in the same state, above all in a fresh pool: each state is scored once. */
  private scoreAll(scores: Scores, demand: Demand): void {
    const { pool, twins } = this;
    twins.fill(-1);
    scores.clear();
    for (let n = 0; n < pool.size; n++) {
      if (!pool.fits(n, demand, scores.allowed)) continue;
      const at = (pool.hash[n] as number) & (twins.length - 1);
      const twin = twins[at] as number;
      if (twin >= 0 && pool.isSame(twin, n)) scores.set(n, scores.get(twin));
      else scores.set(n, this.scoreOf(this.groups.rise(n, demand, this.best) / 1000));
      twins[at] = n;
    }
  }

  private scoreChanged(scores: Scores, demand: Demand): void {
    const { log, seen } = this;
    this.pass++;
    for (let i = scores.upTo; i < log.length; i++) {
      const n = log[i] as number;
      if (seen[n] === this.pass) continue;
      seen[n] = this.pass;
      this.rescore(scores, n, demand);
    }
  }

  private rescore(scores: Scores, n: number, demand: Demand): void {
    const fits = this.pool.fits(n, demand, scores.allowed);
    scores.set(n, fits ? this.scoreOf(this.groups.rise(n, demand, this.best) / 1000) : Infinity);
  }
}
