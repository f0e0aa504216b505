import { z } from 'zod';
import { Instant, ref } from '../fields.ts';

/** A set of identities of one organization; whoever is in it has the roles bound to it (iam.md §2). */
export const group = {
  id: z.string(),
  tenantId: z.string(),
  name: z.string(),
  members: z.int().meta({ description: 'How many.' }),
  createdAt: Instant,
};
export const Group = z.object(group);
export type Group = z.output<typeof Group>;

export const groupRef = { groupId: ref('group', 'grp') };
