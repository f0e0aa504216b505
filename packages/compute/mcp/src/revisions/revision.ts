import type { ToolCaller } from '../caller.ts';
import type { RequestMessage } from '../json-rpc.ts';
import type { CallSettings } from '../tools/call.ts';
import type { Listing } from '../tools/listing.ts';
import type { Origin } from '../transport/origin.ts';

/** What every revision serves from: the tools and the one path of a call. */
export interface Core {
  calls: CallSettings;
  listing: Listing;
  /** '' sends none. */
  instructions: string;
  /** The revisions this server speaks, oldest first. */
  versions: readonly string[];
  stateSecret: string | undefined;
}

export interface Exchange {
  core: Core;
  message: RequestMessage;
  origin: Origin;
  caller: ToolCaller | undefined;
}

/** The wire rules of one protocol revision. */
export interface Revision {
  readonly version: string;
  /** Agreed on by `initialize`, or named by every request. */
  readonly kind: 'handshake' | 'stateless';
  /** Rejects with `RpcError`. */
  answer(exchange: Exchange): Promise<Response>;
}
