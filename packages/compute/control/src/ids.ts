export type IdPrefix = 'node' | 'rsv' | 'drf' | 'ntk' | 'cmd' | 'bdg';

/** Prefix and 128 random bits (compute.md §2). */
export const mintId = (prefix: IdPrefix, randomBytes: (length: number) => Uint8Array): string =>
  `${prefix}_${Buffer.from(randomBytes(16)).toString('base64url')}`;
