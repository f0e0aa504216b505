import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { canonicalText } from './canonical.ts';

/** The two halves of an Ed25519 key, base64url of 32 bytes each. */
export interface KeyPair {
  publicKey: string;
  privateKey: string;
}

export function makeKeyPair(): KeyPair {
  const { x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return { publicKey: x!, privateKey: d! };
}

export const signingKeyOf = ({ publicKey, privateKey }: KeyPair): KeyObject =>
  createPrivateKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: publicKey, d: privateKey } });

/** Signs the members of a message, its `type` among them (compute.md §4.1). */
export const signatureOf = (key: KeyObject, members: object): string => sign(null, Buffer.from(canonicalText(members)), key).toString('base64url');
