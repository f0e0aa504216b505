import { hkdfSync } from 'node:crypto';

/** A key of one purpose out of the deployment's secret (compute.md §11.3). */
export const stateSecretOf = (secret: string): string => Buffer.from(hkdfSync('sha256', secret, '', 'better-compute/mcp-state', 32)).toString('base64url');
