import { createPublicKey, type KeyObject } from 'node:crypto';

/**
 * An Ed25519 key is stored as the base64url of its 32 bytes, in the one spelling that has: 43 characters have two
 * unused bits, and a key that could be spelt four ways would be four nodes.
 */
export const isPublicKey = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text) && Buffer.from(text, 'base64url').toString('base64url') === text;

export const keyOf = (publicKey: string): KeyObject => createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: publicKey } });
