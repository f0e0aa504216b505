/** Why the plane ends a node's connection. Agents decide by the code; there is no other detail. */
export const closeCodes = Object.freeze({
  /** Draining: connect again, anywhere, soon. */
  restart: 1012,
  /** The database does not answer: connect again later. */
  tryLater: 1013,
  /** A frame that is none of the protocol's, from a node that had said hello. */
  malformed: 4400,
  /** Unknown, unsigned, badly signed or removed: one code for all. */
  refused: 4401,
  helloOverdue: 4408,
  /** A later start of the same node has said hello. */
  superseded: 4409,
  /** What the node says of itself cannot be, such as a GPU that is another node's. */
  unfit: 4422,
  /** Neither protocol N nor N−1. */
  protocolUnknown: 4426,
  tooManyMessages: 4429,
});
