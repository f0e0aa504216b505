export { type Compute, type ComputeOptions, createCompute } from './compute.ts';
export type {
  Access,
  AuditEntry,
  Caller,
  FiledConfirmation,
  IamPort,
  JsonValue,
  OpenAccess,
  PortDecision,
  ResolvedResource,
} from './iam-port.ts';
export type { NodeEndpoint } from './nodes/protocol/endpoint.ts';
export type { NodeStore } from './nodes/protocol/node-store.ts';
export type { Prices } from './plane.ts';
export { InvalidConfig } from './pools/put.ts';
export type { AskedResource } from './resources/resolve.ts';
