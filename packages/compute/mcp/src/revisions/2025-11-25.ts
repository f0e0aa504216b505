import { handshake } from './handshake.ts';

/** The newest that `initialize` agrees on, and the answer to any it does not know (compute.md §11.2, against the seed). */
export const revision20251125 = handshake({ version: '2025-11-25', serverInfo: ['name', 'title', 'version', 'description'] });
