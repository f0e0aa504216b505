import type { Measured } from './row.ts';

export interface BenchOptions {
  /** Folder of the trace for the groups that replay one. */
  data: string;
}

/** A group of rows with one subject; it hands over each row as soon as it is measured. */
export interface Group {
  name: string;
  run(options: BenchOptions): AsyncIterable<Measured> | Iterable<Measured>;
}
