import { capabilities, type ServerIdentity, identity } from '../identity.ts';
import { memberOf, resultText } from '../json-rpc.ts';
import { runCall } from '../tools/call.ts';
import { CATALOG_HASH } from '../tools/listing.ts';
import { json } from '../transport/answer.ts';
import { checkCursor, noSuchMethod } from './refusals.ts';
import type { Exchange, Revision } from './revision.ts';

/** What the revisions agreed on by `initialize` share; each one's file says where it differs. */
export interface HandshakeRules {
  version: string;
  /** Members of `serverInfo` this revision defines. */
  serverInfo: readonly (keyof ServerIdentity)[];
}

export function handshake(rules: HandshakeRules): Revision {
  const serverInfo = Object.fromEntries(rules.serverInfo.map((name) => [name, identity[name]]));
  return {
    version: rules.version,
    kind: 'handshake',
    async answer(exchange) {
      const { core, message } = exchange;
      switch (message.method) {
        case 'initialize': {
          const instructions = core.instructions === '' ? {} : { instructions: core.instructions };
          return json(200, resultText(message.id, JSON.stringify({ protocolVersion: rules.version, capabilities, serverInfo, ...instructions })));
        }
        case 'ping':
          return json(200, resultText(message.id, '{}'));
        case 'tools/list':
          return json(200, resultText(message.id, await listText(exchange)));
        case 'tools/call':
          return json(200, resultText(message.id, JSON.stringify(await called(exchange))));
        default:
          throw noSuchMethod(200, 'initialize, ping, tools/list and tools/call');
      }
    },
  };
}

async function listText({ core, message }: Exchange): Promise<string> {
  checkCursor(message.params);
  return `{"tools":${core.listing.text},"_meta":{"${CATALOG_HASH}":"${await core.listing.catalogHash()}"}}`;
}

async function called({ core, message, origin, caller }: Exchange) {
  const { params } = message;
  const name = memberOf(params, 'name') as string;
  return (await runCall(core.calls, { name, args: memberOf(params, 'arguments'), origin, caller })).result;
}
