import { limits } from '../limits.ts';

/**
 * Compiled state by generation (iam.md §12.1): an entry made under one stamp is the current state for as long as that stamp is read, so nothing is
 * ever invalidated, only left behind.
 */
export interface StateCache {
  /** A reader for one call under one stamp. What it had to load is kept only after `keep`, when the stamp is known to have held meanwhile. */
  under(stamp: string): StateReader;
}

export interface StateReader {
  get<T>(key: string, load: () => Promise<T>): Promise<T>;
  readonly hasLoaded: boolean;
  keep(): void;
}

export function createStateCache(): StateCache {
  const kept = new Map<string, unknown>();
  return {
    under(stamp) {
      const loaded = new Map<string, unknown>();
      return {
        async get<T>(name: string, load: () => Promise<T>): Promise<T> {
          const key = `${stamp}|${name}`;
          if (kept.has(key)) {
            const value = kept.get(key) as T;
            // the oldest in order of use goes first
            kept.delete(key);
            kept.set(key, value);
            return value;
          }
          if (loaded.has(key)) return loaded.get(key) as T;
          const value = await load();
          loaded.set(key, value);
          return value;
        },
        get hasLoaded() {
          return loaded.size > 0;
        },
        keep() {
          for (const [key, value] of loaded) kept.set(key, value);
          while (kept.size > limits.statesMax) kept.delete(kept.keys().next().value as string);
        },
      };
    },
  };
}
