import { canonicalJson, readJson } from '@better-compute/client';
import type { Hold } from '../../approval/hold.ts';
import { sha256Hex } from '../../caller.ts';
import { isPlain, RpcError, rpcCode } from '../../json-rpc.ts';
import { limits } from '../../limits.ts';

/** What a client carries from one round of a held call to the next. It can read it and cannot change it. */
export interface RequestState {
  hold: Hold;
  /** How often the person has been asked. */
  round: number;
}

/** What a state is good for: this caller, this tool, these arguments. */
export interface StateBinding {
  secret: string;
  caller: string;
  tool: string;
  args: unknown;
}

/** `payload.mac`, both base64url; the MAC is HMAC-SHA-256 over everything the state is bound to. */
export async function sealState(state: RequestState, binding: StateBinding, now: number): Promise<string> {
  const payload = base64url(new TextEncoder().encode(JSON.stringify({ ...state, expiresAt: now + limits.requestStateMs })));
  return `${payload}.${base64url(new Uint8Array(await crypto.subtle.sign('HMAC', await keyOf(binding.secret), await signedBytes(payload, binding))))}`;
}

/** Throws `-32602` for a state that is forged, changed, too old, another caller's, or for another call. */
export async function openState(text: unknown, binding: StateBinding, now: number): Promise<RequestState> {
  if (typeof text !== 'string' || text.length > limits.requestStateCharsMax) throw badState();
  const [payload, mac, ...rest] = text.split('.');
  const bytes = payload === undefined ? undefined : fromBase64url(payload);
  const macBytes = mac === undefined || rest.length > 0 ? undefined : fromBase64url(mac);
  if (payload === undefined || !bytes || !macBytes) throw badState();
  // verify compares in constant time
  if (!(await crypto.subtle.verify('HMAC', await keyOf(binding.secret), macBytes, await signedBytes(payload, binding)))) throw badState();
  const value = readJson(bytes);
  if (!isPlain(value) || typeof value.expiresAt !== 'number' || value.expiresAt <= now) throw badState();
  return { hold: value.hold as Hold, round: value.round as number };
}

const badState = (): RpcError =>
  new RpcError(rpcCode.invalidParams, 'params.requestState is not valid for this call, or no longer. Make the call again without it.', {
    data: { reason: 'invalid_request_state' },
  });

/** Labelled, so that nothing else signed with this secret is ever taken for a state. */
const signedBytes = async (payload: string, { caller, tool, args }: StateBinding): Promise<Uint8Array<ArrayBuffer>> =>
  new TextEncoder().encode(['better-compute/request-state/1', payload, caller, tool, await sha256Hex(canonicalJson(args))].join('\n'));

const keyOf = (secret: string) =>
  crypto.subtle.importKey('raw', new TextEncoder().encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);

const base64url = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

function fromBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return undefined;
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (unit) => unit.charCodeAt(0));
  } catch {
    return undefined;
  }
}
