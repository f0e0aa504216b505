import { Fold } from '../fold/fold.ts';
import { FutureRoom } from '../potential/future-room.ts';
import { Eligible } from './eligible.ts';

/** What a choice needs of one pool. */
export class Pool {
  readonly fold: Fold;
  readonly eligible: Eligible;
  readonly future: FutureRoom;

  constructor(seed: number) {
    this.fold = new Fold(seed);
    this.eligible = new Eligible(this.fold);
    this.future = new FutureRoom(this.fold);
  }
}
