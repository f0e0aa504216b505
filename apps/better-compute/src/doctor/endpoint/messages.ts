import { doubtful, type EndpointFinding, expected, fine, wrong } from './finding.ts';
import { isEvents, isJson, type Probe, said } from './probe.ts';

const PING = { id: 1, method: 'tools/list', params: {} };

/** The small print of the transport: each of these has kept a client out somewhere. */
export async function checkMessages(probe: Probe): Promise<EndpointFinding[]> {
  const findings: EndpointFinding[] = [];
  for (const check of [checkTypes, checkAccept, checkNotification, checkUnknownMethod, checkIds, checkBatch, checkGet, checkSlash, checkTools])
    findings.push(...(await check(probe)));
  return findings;
}

async function checkTypes(probe: Probe): Promise<EndpointFinding[]> {
  const charset = await probe.rpc(PING, { headers: { 'content-type': 'application/json; charset=utf-8' } });
  const answer = await probe.rpc(PING);
  const other = await probe.rpc(PING, { headers: { 'content-type': 'text/plain' } });
  return [
    expected(
      charset?.message?.result !== undefined,
      fine('types.charset', 'application/json with a charset is taken'),
      wrong('types.charset', `content-type: application/json; charset=utf-8 is answered ${said(charset)}`, 'ignore the parameters of the content type'),
    ),
    expected(
      answer !== undefined && (isJson(answer.headers) || isEvents(answer.headers)),
      fine('types.answer', 'answers are application/json or text/event-stream'),
      wrong(
        'types.answer',
        `an answer has content type ${answer?.headers.get('content-type') ?? 'none'}: clients refuse it`,
        'answer application/json, or text/event-stream',
      ),
    ),
    expected(
      other !== undefined && other.status >= 400 && other.status < 500,
      fine('types.other', 'another content type is refused'),
      doubtful('types.other', `content-type: text/plain is answered ${said(other)}`, 'answer 415: such a request can come from a form of any page'),
    ),
  ];
}

async function checkAccept(probe: Probe): Promise<EndpointFinding[]> {
  const refused: string[] = [];
  for (const accept of ['application/json', '*/*']) {
    const answer = await probe.rpc(PING, { headers: { accept } });
    if (answer?.message?.result === undefined) refused.push(`${accept} (${said(answer)})`);
  }
  return [
    expected(
      refused.length === 0,
      fine('accept', 'what a client would take beside JSON does not matter'),
      doubtful('accept', `not answered with Accept: ${refused.join(', ')}`, 'answer JSON whatever else is accepted: simple clients and curl send no more'),
    ),
  ];
}

async function checkNotification(probe: Probe): Promise<EndpointFinding[]> {
  const answer = await probe.rpc({ method: 'notifications/initialized' });
  if (answer && answer.status < 300)
    return [
      expected(
        answer.status === 202 && answer.text === '',
        fine('notifications', 'notifications are answered 202 without a body'),
        doubtful('notifications', `a notification is answered ${answer.status}${answer.text === '' ? '' : ' with a body'}`, 'answer 202 without a body'),
      ),
    ];
  return [
    wrong(
      'notifications',
      `notifications/initialized is answered ${said(answer)}: clients give up connecting`,
      'answer every notification 202 without a body, known or not',
    ),
  ];
}

async function checkUnknownMethod(probe: Probe): Promise<EndpointFinding[]> {
  const answer = await probe.rpc({ id: 1, method: 'doctor/no-such-method' });
  if (answer?.message?.error?.code === -32601) return [fine('unknown-method', 'a method nobody knows is answered -32601')];
  return [
    wrong(
      'unknown-method',
      `a method nobody knows is answered ${said(answer)}: clients that try what is optional stop there`,
      'answer it with the JSON-RPC error -32601',
    ),
  ];
}

async function checkIds(probe: Probe): Promise<EndpointFinding[]> {
  const changed: string[] = [];
  for (const id of [0, '', 'a-1', Number.MAX_SAFE_INTEGER]) {
    const answer = await probe.rpc({ ...PING, id });
    if (answer?.message?.id !== id) changed.push(`${JSON.stringify(id)} as ${JSON.stringify(answer?.message?.id ?? null)}`);
  }
  return [
    expected(
      changed.length === 0,
      fine('ids', 'ids come back as they went'),
      wrong(
        'ids',
        `ids come back changed: ${changed.join(', ')}; clients wait for theirs until they time out`,
        'echo the id exactly, 0 and the empty string too',
      ),
    ),
  ];
}

async function checkBatch(probe: Probe): Promise<EndpointFinding[]> {
  const body = JSON.stringify([{ jsonrpc: '2.0', ...PING }]);
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
  const answer = await probe.ask({ headers, body });
  return [
    expected(
      answer !== undefined && answer.status < 500,
      fine('batch', `a batch is answered ${said(answer)}`),
      wrong('batch', `a batch is answered ${said(answer)}`, 'answer 400 with -32600: batches left the protocol in 2025-06-18'),
    ),
  ];
}

async function checkGet(probe: Probe): Promise<EndpointFinding[]> {
  const headers = { accept: 'text/event-stream' };
  const answer = await probe.ask({ method: 'GET', headers });
  const isStream = answer?.status === 200 && isEvents(answer.headers);
  const isKnown = answer?.status === 405 || isStream;
  return [
    isKnown
      ? fine('get', isStream ? 'GET opens a stream' : 'GET is answered 405: there is no stream')
      : wrong(
          'get',
          `GET is answered ${said(answer)}: clients take only 405 for "there is no stream"`,
          'answer 405 with Allow: POST, or open a text/event-stream',
        ),
    ...(answer?.status === 405 && answer.headers.get('allow') === null ? [doubtful('get.allow', 'the 405 has no Allow', 'send Allow: POST')] : []),
  ];
}

async function checkSlash(probe: Probe): Promise<EndpointFinding[]> {
  const other = probe.url.endsWith('/') ? probe.url.replace(/\/+$/, '') : `${probe.url}/`;
  if (new URL(other).pathname === new URL(probe.url).pathname) return [];
  const answer = await probe.rpc(PING, { url: other });
  const isRedirect = answer !== undefined && answer.status >= 300 && answer.status < 400;
  return [
    expected(
      !isRedirect,
      fine('slash', `${other} is answered ${said(answer)}, without a redirect`),
      doubtful('slash', `${other} redirects: clients that write it so lose their credential on the way`, 'answer at both addresses'),
    ),
  ];
}

const NAME = /^[A-Za-z0-9_.-]{1,128}$/;

async function checkTools(probe: Probe): Promise<EndpointFinding[]> {
  const answer = await probe.rpc(PING);
  const tools = answer?.message?.result?.tools as unknown;
  if (!Array.isArray(tools))
    return [wrong('tools', `tools/list is answered ${said(answer)}, without tools`, 'answer it with a list, empty where there are none')];
  const bad = (tools as { name?: unknown; inputSchema?: { type?: unknown } }[]).filter(
    ({ name, inputSchema }) => typeof name !== 'string' || !NAME.test(name) || inputSchema?.type !== 'object',
  );
  return [
    expected(
      bad.length === 0,
      fine('tools', `${tools.length} tools, each with a name and a schema that clients take`),
      wrong(
        'tools',
        `tools whose name or schema clients refuse: ${bad.map(({ name }) => JSON.stringify(name)).join(', ')}`,
        'names of 1 to 128 letters, digits, _ . -, and an inputSchema of type object',
      ),
    ),
  ];
}
