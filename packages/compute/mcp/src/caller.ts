import { type HeaderReader, readAuthorization } from '@better-compute/client';

/** What a gate says of who calls; structural, so that any gate fits (compute.md §11.1). */
export interface ToolCaller {
  /** The tenant the tools act in. */
  tenantId?: string;
  identityId?: string;
  agentId?: string;
  delegationId?: string;
}

/** One caller = (identity, agent, delegation); without a gate it is whoever holds that token, kept only as a digest. */
export function callerKey({ headers }: { headers: HeaderReader }, caller: ToolCaller | undefined): string | Promise<string> {
  if (caller?.identityId !== undefined) return `${caller.identityId}/${caller.agentId ?? ''}/${caller.delegationId ?? ''}`;
  const credential = readAuthorization(headers);
  return credential.kind === 'token' ? digestOf(credential.token) : 'anonymous';
}

async function digestOf(token: string): Promise<string> {
  return `token:${await sha256Hex(token)}`;
}

export async function sha256Hex(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
