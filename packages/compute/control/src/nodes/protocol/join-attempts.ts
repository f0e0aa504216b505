import { limits } from './limits.ts';

const MINUTE_MS = 60_000;

/**
 * Counts the joins of an address that failed or are not decided yet. One that succeeds is given back, so that a rack
 * may join in a minute and a guesser may not try many tokens; those under way count, so that trying them at once does not help.
 */
export class JoinAttempts {
  private minute = 0;
  private counts = new Map<string, number>();

  /** Milliseconds to wait, or undefined when the attempt may be made: then `giveBack` after a success. */
  begin(address: string, now: number): number | undefined {
    const minute = Math.floor(now / MINUTE_MS);
    if (minute !== this.minute || this.counts.size >= limits.joinAddressesMax) {
      this.minute = minute;
      this.counts = new Map();
    }
    const count = this.counts.get(address) ?? 0;
    if (count >= limits.joinsPerMinute) return (minute + 1) * MINUTE_MS - now;
    this.counts.set(address, count + 1);
    return undefined;
  }

  giveBack(address: string): void {
    const count = this.counts.get(address);
    if (count !== undefined && count > 0) this.counts.set(address, count - 1);
  }
}
