import { verify } from 'node:crypto';
import { canonicalJson } from '@kit/operation';
import { keyOf } from './public-key.ts';

/**
 * Whether the node's key signed a frame: every member it came with but the signature, also those that this revision
 * does not know. `type` is one of them, so that no message passes for another.
 */
function isSigned(frame: Record<string, unknown>, extra: object, publicKey: string): boolean {
  const { signature, ...members } = frame;
  if (typeof signature !== 'string') return false;
  return verify(null, Buffer.from(canonicalJson({ ...members, ...extra })), keyOf(publicKey), Buffer.from(signature, 'base64url'));
}

/** A hello is good for one connection: the nonce is of this one. */
export const isHelloSigned = (frame: Record<string, unknown>, nonce: string, publicKey: string): boolean => isSigned(frame, { nonce }, publicKey);

export const isResultSigned = (frame: Record<string, unknown>, publicKey: string): boolean => isSigned(frame, {}, publicKey);
