import { memberOf, RpcError, rpcCode } from '../json-rpc.ts';

export const unsupportedVersion = (requested: string, supported: readonly string[]): RpcError =>
  new RpcError(rpcCode.unsupportedVersion, `This server does not speak that protocol version, but ${supported.join(', ')}.`, {
    status: 400,
    data: { supported, requested },
  });

export const noSuchMethod = (status: 200 | 404, methods: string): RpcError =>
  new RpcError(rpcCode.methodNotFound, `This server has no such method. It has ${methods}.`, { status });

/** Everything is on one page, so no cursor was ever given out. */
export function checkCursor(params: unknown): void {
  if (memberOf(params, 'cursor') !== undefined)
    throw new RpcError(rpcCode.invalidParams, 'params.cursor is none of this list. It is on one page: leave the cursor out.');
}
