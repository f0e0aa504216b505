import { handshake } from './handshake.ts';

/** Also what a request without a version header speaks. Its batches are refused like all (B144). */
export const revision20250326 = handshake({ version: '2025-03-26', serverInfo: ['name', 'version'] });
