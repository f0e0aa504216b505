import { handshake } from './handshake.ts';

/** Titles, output schemas, structured content, and the version header. */
export const revision20250618 = handshake({ version: '2025-06-18', serverInfo: ['name', 'title', 'version'] });
