import { z } from 'zod';
import { Email, Name, Password, Slug } from '../fields.ts';

/** The platform and its first owner; no operation, since it is never reachable over HTTP (iam.md §5). */
export const BootstrapInput = z.strictObject({ email: Email, name: Name, password: Password, rootName: Name.optional(), slug: Slug.optional() });
export type BootstrapInput = z.input<typeof BootstrapInput>;
