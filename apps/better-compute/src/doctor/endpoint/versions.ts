import { doubtful, type EndpointFinding, expected, fine, wrong } from './finding.ts';
import { type Answer, HANDSHAKE, type Probe, said } from './probe.ts';

const OLDER = ['2024-11-05', '2025-03-26', '2025-06-18'];
const STATELESS = '2026-07-28';

const opening = (protocolVersion: string) => ({
  id: 1,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'better-compute-doctor', version: '1' } },
});

/** What is spoken in both eras, and that a client of either finds its way into the other. */
export async function checkVersions(probe: Probe): Promise<EndpointFinding[]> {
  const opened = await probe.rpc(opening(HANDSHAKE));
  const version = opened?.message?.result?.protocolVersion as unknown;
  const modern = await checkStateless(probe);
  if (typeof version !== 'string')
    return modern.isSpoken
      ? [
          doubtful('initialize', 'there is no initialize: clients before 2026-07-28 cannot connect', 'answer initialize for the older revisions too'),
          ...modern.findings,
        ]
      : [
          wrong(
            'initialize',
            `initialize is answered ${said(opened)}, without a protocolVersion`,
            'answer it with protocolVersion, capabilities and serverInfo',
          ),
          ...modern.findings,
        ];
  probe.sessionId = opened?.headers.get('mcp-session-id') ?? undefined;
  return [fine('initialize', `initialize agrees on ${version}`), ...(await checkHandshakes(probe)), ...modern.findings];
}

async function checkHandshakes(probe: Probe): Promise<EndpointFinding[]> {
  const agreed: string[] = [];
  for (const version of OLDER) {
    const answer = await probe.rpc(opening(version), { headers: { 'mcp-protocol-version': version } });
    if (answer?.message?.result?.protocolVersion === version) agreed.push(version);
  }
  const missing = OLDER.filter((version) => !agreed.includes(version));
  const unknown = await probe.rpc(opening('2099-01-01'), { headers: { 'mcp-protocol-version': '2099-01-01' } });
  const bare = await probe.rpc(opening('2099-01-01'), { headers: { 'mcp-protocol-version': HANDSHAKE } });
  const isOffered = [unknown, bare].some((answer) => typeof answer?.message?.result?.protocolVersion === 'string');
  const noHeader = await withoutVersion(probe);
  const unsupported = await probe.rpc({ id: 1, method: 'ping' }, { headers: { 'mcp-protocol-version': '1999-01-01' } });
  return [
    expected(
      missing.length === 0,
      fine('versions.older', `older clients are answered in ${OLDER.join(', ')}`),
      doubtful(
        'versions.older',
        `clients that know no later revision than ${missing.join(', ')} are not answered in it`,
        'agree on the revision a client asks for, when it is an older one',
      ),
    ),
    expected(
      isOffered,
      fine('versions.unknown', 'a client from the future is offered a revision'),
      wrong(
        'versions.unknown',
        `initialize with a revision nobody knows is answered ${said(bare)}: newer clients cannot step down`,
        'answer with a revision of your own, not with an error',
      ),
    ),
    expected(
      noHeader?.message?.result !== undefined,
      fine('versions.no-header', 'a request without MCP-Protocol-Version is answered'),
      wrong(
        'versions.no-header',
        `a request without MCP-Protocol-Version is answered ${said(noHeader)}: clients before 2025-06-18 send none`,
        'take 2025-03-26 for it',
      ),
    ),
    expected(
      unsupported?.status === 400,
      fine('versions.unsupported', 'a revision that is not spoken is answered 400'),
      doubtful('versions.unsupported', `MCP-Protocol-Version: 1999-01-01 is answered ${said(unsupported)}`, 'answer 400 to a revision you do not speak'),
    ),
  ];
}

const withoutVersion = (probe: Probe): Promise<Answer | undefined> =>
  probe.ask({
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  });

const META = {
  'io.modelcontextprotocol/protocolVersion': STATELESS,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'better-compute-doctor', version: '1' },
};
const stateless = (method: string) => ({ 'mcp-protocol-version': STATELESS, 'mcp-method': method });

async function checkStateless(probe: Probe): Promise<{ isSpoken: boolean; findings: EndpointFinding[] }> {
  const found = await probe.rpc({ id: 1, method: 'server/discover', params: { _meta: META } }, { headers: stateless('server/discover') });
  const versions = found?.message?.result?.supportedVersions as unknown;
  if (Array.isArray(versions)) return { isSpoken: true, findings: await statelessFindings(probe, versions.map(String)) };
  const isToldSo = typeof found?.message?.error?.code === 'number' && found.status < 500;
  return {
    isSpoken: false,
    findings: [
      expected(
        isToldSo,
        fine('versions.probe', `${STATELESS} is not spoken, and clients that try it are told so`),
        wrong(
          'versions.probe',
          `server/discover is answered ${said(found)}: clients that try ${STATELESS} first cannot tell that they should initialize`,
          'answer what you do not know with a JSON-RPC error (-32601, or 400 with -32022)',
        ),
      ),
    ],
  };
}

async function statelessFindings(probe: Probe, versions: string[]): Promise<EndpointFinding[]> {
  const list = { id: 1, method: 'tools/list', params: { _meta: META } };
  const listed = await probe.rpc(list, { headers: stateless('tools/list') });
  const mismatch = await probe.rpc(list, { headers: stateless('tools/call') });
  const noMeta = await probe.rpc({ id: 1, method: 'tools/list', params: {} }, { headers: stateless('tools/list') });
  return [
    fine('versions.modern', `server/discover says ${versions.join(', ')}`),
    expected(
      listed?.message?.result?.resultType === 'complete',
      fine('versions.modern-list', `tools/list works in ${STATELESS}`),
      wrong(
        'versions.modern-list',
        `tools/list in ${STATELESS} is answered ${said(listed)}${listed?.message?.result ? ' without resultType' : ''}`,
        'answer with resultType, and keep every header that begins with mcp- on its way',
      ),
    ),
    expected(
      mismatch?.status === 400 && mismatch.message?.error?.code === -32020,
      fine('versions.headers', 'headers that say something else than the body are refused'),
      doubtful('versions.headers', `a Mcp-Method that is not the body's is answered ${said(mismatch)}`, 'answer 400 with -32020: proxies route by the header'),
    ),
    expected(
      noMeta?.status === 400 && noMeta.message?.error?.code === -32602,
      fine('versions.meta', 'a request without _meta is refused'),
      doubtful('versions.meta', `a request of ${STATELESS} without _meta is answered ${said(noMeta)}`, 'answer 400 with -32602'),
    ),
  ];
}
