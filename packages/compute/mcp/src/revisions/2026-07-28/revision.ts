import { capabilities, identity } from '../../identity.ts';
import { resultText } from '../../json-rpc.ts';
import { limits } from '../../limits.ts';
import { CATALOG_HASH } from '../../tools/listing.ts';
import { json } from '../../transport/answer.ts';
import { checkCursor, noSuchMethod, unsupportedVersion } from '../refusals.ts';
import type { Exchange, Revision } from '../revision.ts';
import { readEnvelope } from './envelope.ts';
import { callTool } from './held-call.ts';

const VERSION = '2026-07-28';
const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';
const META = JSON.stringify({ [SERVER_INFO]: identity });
const LIST_HINTS = `"resultType":"complete","ttlMs":${limits.listTtlMs},"cacheScope":"private"`;

/** Stateless: every request names its version and client, and every result its kind and server (compute.md §11.2). */
export const revision20260728: Revision = {
  version: VERSION,
  kind: 'stateless',
  async answer(exchange) {
    const { core, message, origin } = exchange;
    const envelope = readEnvelope(message, origin.headers);
    const spoken: readonly string[] = core.versions.filter((version) => version === VERSION);
    if (!spoken.includes(envelope.version)) throw unsupportedVersion(envelope.version, spoken.length > 0 ? spoken : core.versions);
    switch (message.method) {
      case 'server/discover':
        return json(200, resultText(message.id, discovery(exchange)));
      case 'tools/list': {
        checkCursor(message.params);
        const meta = `{"${SERVER_INFO}":${JSON.stringify(identity)},"${CATALOG_HASH}":"${await core.listing.catalogHash()}"}`;
        return json(200, resultText(message.id, `{${LIST_HINTS},"tools":${core.listing.text},"_meta":${meta}}`));
      }
      case 'tools/call': {
        const result = JSON.stringify(await callTool(exchange, envelope));
        return json(200, resultText(message.id, `${result.slice(0, -1)},"_meta":${META}}`));
      }
      default:
        throw noSuchMethod(404, 'server/discover, tools/list and tools/call');
    }
  },
};

function discovery({ core }: Exchange): string {
  return JSON.stringify({
    resultType: 'complete',
    // only what a request may name; the others are for `initialize`
    supportedVersions: [VERSION],
    capabilities,
    ...(core.instructions === '' ? {} : { instructions: core.instructions }),
    ttlMs: limits.discoverTtlMs,
    cacheScope: 'private',
    _meta: { [SERVER_INFO]: identity },
  });
}
