/** Why the plane ended a connection, as far as the agent acts on it. */
export const closeCodes = Object.freeze({
  restart: 1012,
  malformed: 4400,
  refused: 4401,
  superseded: 4409,
  unfit: 4422,
  protocolUnknown: 4426,
});

/** What an operator should know of a close; nothing for those that pass by themselves. */
export const complaintOf: Readonly<Record<number, string>> = Object.freeze({
  [closeCodes.malformed]: 'the server does not understand this agent',
  [closeCodes.refused]: 'the server does not know this node or its key, or it was removed: remove its state file and join again',
  [closeCodes.superseded]: 'a later start of this node is connected: this one ends',
  [closeCodes.unfit]: 'the server does not believe what this node says of itself; is one of its GPUs another node’s?',
  [closeCodes.protocolUnknown]: 'the server speaks another revision of the protocol: update the agent',
});
