import { z } from 'zod';
import { Instant, paging } from '../fields.ts';
import { auditEvent } from './event.ts';

const { previousHash: _previous, hash: _hash, ...shown } = auditEvent;

/**
 * An audit event as told to whoever it concerns: without the chain's hashes, for parts of it may be left out. Reasons of denials are for readers of the
 * audit, and what an agent asked a person to confirm for that person (iam.md §13, §22).
 */
export const Activity = z.object(shown);
export type Activity = z.output<typeof Activity>;

export const activityInput = { from: Instant.optional(), to: Instant.optional(), ...paging };
