import { z } from 'zod';
import { Email, Name, Password, Slug } from '../fields.ts';

const Founder = z.strictObject({ email: Email, name: Name, password: Password });

/** The platform and its first owner, and on wish a first organization; no operation, since it is never reachable over HTTP (iam.md §5). */
export const BootstrapInput = Founder.extend({
  rootName: Name.optional(),
  slug: Slug.optional(),
  organization: z.strictObject({ name: Name, slug: Slug, owner: Founder }).optional(),
});
export type BootstrapInput = z.input<typeof BootstrapInput>;
