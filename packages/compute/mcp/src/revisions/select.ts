import type { HeaderReader } from '@better-compute/client';
import { memberOf, type RequestMessage } from '../json-rpc.ts';
import { revision20241105 } from './2024-11-05.ts';
import { revision20250326 } from './2025-03-26.ts';
import { revision20250618 } from './2025-06-18.ts';
import { revision20251125 } from './2025-11-25.ts';
import { isStateless } from './2026-07-28/envelope.ts';
import { revision20260728 } from './2026-07-28/revision.ts';
import { unsupportedVersion } from './refusals.ts';
import type { Revision } from './revision.ts';

/** Every revision there is code for, oldest first. */
export const revisions: readonly Revision[] = [revision20241105, revision20250326, revision20250618, revision20251125, revision20260728];

const byVersion: ReadonlyMap<string, Revision> = new Map(revisions.map((revision) => [revision.version, revision]));

/** What a client without a version header speaks, as the transport's rules have it. */
const ASSUMED = '2025-03-26';

/** Which rules a request is answered by (compute.md §11.2). Throws `RpcError` for a version that is not spoken. */
export function revisionFor(message: RequestMessage, headers: HeaderReader, spoken: readonly string[]): Revision {
  if (isStateless(message, headers)) return revision20260728;
  const handshakes = spoken.filter((version) => byVersion.get(version)?.kind === 'handshake');
  if (message.method === 'initialize') {
    const asked = memberOf(message.params, 'protocolVersion');
    const agreed = handshakes.find((version) => version === asked) ?? handshakes.at(-1);
    return known(agreed, typeof asked === 'string' ? asked : 'none', spoken);
  }
  const named = headers.get('mcp-protocol-version');
  if (named === null) return known(handshakes.includes(ASSUMED) ? ASSUMED : handshakes.at(-1), 'none', spoken);
  return known(
    handshakes.find((version) => version === named),
    named,
    spoken,
  );
}

/** For what no revision answers. Throws `RpcError` where the header names a version that is not spoken. */
export function checkNamedVersion(headers: HeaderReader, spoken: readonly string[]): void {
  const named = headers.get('mcp-protocol-version');
  if (named !== null && !spoken.includes(named)) throw unsupportedVersion(named, spoken);
}

function known(version: string | undefined, requested: string, spoken: readonly string[]): Revision {
  const revision = version === undefined ? undefined : byVersion.get(version);
  if (!revision) throw unsupportedVersion(requested, spoken);
  return revision;
}
