import manifest from '../package.json' with { type: 'json' };

export interface ServerIdentity {
  name: string;
  title: string;
  version: string;
  description: string;
}

export const identity: ServerIdentity = Object.freeze({
  name: 'better-compute',
  title: 'Better Compute',
  version: manifest.version,
  description: 'GPU capacity, reservations and machines, with a person confirming what they have held back.',
});

/** Nothing is ever announced: the list changes only with the process (compute.md §11.2). */
export const capabilities = Object.freeze({ tools: Object.freeze({ listChanged: false }) });
