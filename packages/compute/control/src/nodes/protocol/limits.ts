/** Limits of the node protocol (compute.md §4.1, §15). */
export const limits = Object.freeze({
  frameBytesMax: 1_048_576,
  joinBodyBytesMax: 65_536,
  labelsMax: 64,
  /** From the challenge to a hello that is accepted. */
  helloMs: 10_000,
  /** Nothing heard for so long, not even a pong: the connection is dead. */
  idleMs: 30_000,
  pingMs: 10_000,
  /** How often the two above are looked at. */
  tickMs: 5_000,
  /** Connections that have not said hello yet. One more takes the place of the oldest that has had its patience, or is told to come later. */
  strangersMax: 256,
  strangerPatienceMs: 1_000,
  messagesPerWindow: 200,
  windowMs: 10_000,
  /** Messages of one node that wait for the database. */
  backlogMax: 64,
  /** Joins of one address that failed or are under way, a minute. */
  joinsPerMinute: 60,
  joinAddressesMax: 10_000,
  /** How long a stop waits for the nodes to close. */
  stopMs: 1_000,
});
