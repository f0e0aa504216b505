import { computeService } from '@better-compute/contract';
import { type Client, type ClientOptions, createClient } from '@kit/operation';

/** `client.reservations.create(input)` and so on, one method per operation of compute.md §3.3. */
export type ComputeClient = Client<typeof computeService>;

/**
 * The client of a control plane: over the network, or in process with `fetch: compute.handler` (architecture.md §1).
 * Throws `ClientError` with the code and status of the wire; `INVALID_CONFIG` for an address that is none.
 */
export const createComputeClient = (options: ClientOptions): ComputeClient => createClient(computeService, options);
