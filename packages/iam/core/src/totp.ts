import { createHmac } from 'node:crypto';

/** A code lives 30 seconds and is known by the number of its step since 1970 (RFC 6238). */
const stepMs = 30_000;
const digits = 6;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export const totpStep = (nowMs: number): number => Math.floor(nowMs / stepMs);

/** The code of one step (RFC 6238 over HMAC-SHA-1, which is what authenticator apps have in common). */
export function totpCode(secret: Uint8Array, step: number, length: number = digits): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = mac[mac.length - 1]! & 0x0f;
  const truncated = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(truncated % 10 ** length).padStart(length, '0');
}

/** Base32 without padding (RFC 4648 §6): how authenticator apps take a secret. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += alphabet[(held >>> (bits - 5)) & 31];
    held &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + alphabet[(held << (5 - bits)) & 31];
}

/** The other way; `undefined` where it is no base32. Case, spaces and padding do not matter. */
export function fromBase32(text: string): Uint8Array | undefined {
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const letter of text.toUpperCase().replace(/[\s=]/g, '')) {
    const value = alphabet.indexOf(letter);
    if (value < 0) return undefined;
    held = (held << 5) | value;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push(held >>> bits);
    held &= (1 << bits) - 1;
  }
  return Uint8Array.from(bytes);
}
