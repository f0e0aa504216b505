import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ivLength = 12;
const tagLength = 16;

/** Keeps what must be read again, such as the secret of a second factor: encrypted, and good for the one `owner` it was sealed for. */
export interface Seal {
  seal(owner: string, plain: Uint8Array): Buffer;
  /** Throws on anything that was not sealed for this owner under this deployment's secret. */
  open(owner: string, sealed: Uint8Array): Buffer;
}

/** AES-256-GCM under a key of its own purpose, derived from the deployment's secret. */
export function createSeal(secret: string, purpose: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `better-iam/${purpose}`, 32));
  return {
    seal(owner, plain) {
      const iv = randomBytes(ivLength);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(owner));
      const body = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]);
    },
    open(owner, sealed) {
      const bytes = Buffer.from(sealed);
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivLength), { authTagLength: tagLength })
        .setAAD(Buffer.from(owner))
        .setAuthTag(bytes.subarray(ivLength, ivLength + tagLength));
      return Buffer.concat([decipher.update(bytes.subarray(ivLength + tagLength)), decipher.final()]);
    },
  };
}
