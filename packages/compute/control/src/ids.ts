import { idBytes } from '@kit/store';

export type IdPrefix = 'node' | 'rsv' | 'drf' | 'ntk' | 'cmd' | 'bdg';

/** Prefix and 128 random bits (compute.md §2). */
export const mintId = (prefix: IdPrefix): string => `${prefix}_${Buffer.from(idBytes(16)).toString('base64url')}`;
