import { handshake } from './handshake.ts';

/** The first revision, over its later transport. Members it does not know (hints, structured content) are ignored by its clients [seed]. */
export const revision20241105 = handshake({ version: '2024-11-05', serverInfo: ['name', 'version'] });
