import { z } from 'zod';
import { operation, withoutTenant } from '../form.ts';
import { Notice } from './notice.ts';

export const notices = withoutTenant(
  operation({
    id: 'auth.notices',
    summary: "Ways back in made for you in the last 7 days; for owners, for anybody of the organization; for the platform's owners, every break-glass.",
    effect: 'read',
    userOnly: true,
    output: { items: z.array(Notice) },
    command: { path: ['notices'] },
  }),
);
