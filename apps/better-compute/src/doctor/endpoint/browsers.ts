import { doubtful, type EndpointFinding, expected, fine, wrong } from './finding.ts';
import type { Probe } from './probe.ts';

const NEEDED = ['authorization', 'content-type', 'mcp-protocol-version'];
const LATER = ['mcp-session-id', 'mcp-method', 'mcp-name'];
const STRANGER = 'https://evil.doctor.invalid';

/** What pages can do: those that may, and those that must not. */
export async function checkBrowsers(probe: Probe): Promise<EndpointFinding[]> {
  return [...(await checkPreflight(probe)), ...(await checkStranger(probe))];
}

const listOf = (value: string | null): string[] =>
  (value ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());

async function checkPreflight(probe: Probe): Promise<EndpointFinding[]> {
  const { origin } = new URL(probe.url);
  const headers = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': [...NEEDED, ...LATER].join(', ') };
  const answer = await probe.ask({ method: 'OPTIONS', headers, isAnonymous: true });
  if (answer?.status === 401 || answer?.status === 403)
    return [
      wrong(
        'cors.preflight',
        `OPTIONS is answered ${answer.status}: a browser sends no credential with it, so no page can ever call`,
        'answer OPTIONS before the credential is looked at',
      ),
    ];
  const allowed = answer?.headers.get('access-control-allow-origin') ?? null;
  if (!answer || answer.status >= 300 || (allowed !== origin && allowed !== '*'))
    return [
      doubtful(
        'cors.preflight',
        `OPTIONS from ${origin} is answered ${answer?.status ?? 'with nothing'}: clients in a browser cannot call`,
        'answer 204 with Access-Control-Allow-Origin for the origins that may call',
      ),
    ];
  const missing = [...NEEDED, ...LATER].filter((name) => !listOf(answer.headers.get('access-control-allow-headers')).includes(name));
  const methods = listOf(answer.headers.get('access-control-allow-methods'));
  return [
    expected(
      missing.length === 0 && (methods.includes('post') || methods.includes('*')),
      fine('cors.preflight', 'a browser may send what MCP needs'),
      wrong(
        'cors.headers',
        `OPTIONS does not allow ${missing.join(', ') || 'POST'}`,
        `list POST in Access-Control-Allow-Methods and ${[...NEEDED, ...LATER].join(', ')} in Access-Control-Allow-Headers`,
      ),
    ),
    ...(await checkExposed(probe, origin)),
  ];
}

async function checkExposed(probe: Probe, origin: string): Promise<EndpointFinding[]> {
  const answer = await probe.rpc({ id: 1, method: 'tools/list', params: {} }, { isAnonymous: true, headers: { origin } });
  if (!answer) return [];
  const allowed = answer.headers.get('access-control-allow-origin');
  if (allowed !== origin && allowed !== '*')
    return [
      wrong(
        'cors.answer',
        `the preflight allows ${origin}, but the answer ${answer.status} has no Access-Control-Allow-Origin`,
        'send it with every answer, 401 included',
      ),
    ];
  const exposed = listOf(answer.headers.get('access-control-expose-headers'));
  const needed = [...(answer.status === 401 ? ['www-authenticate'] : []), ...(probe.sessionId === undefined ? [] : ['mcp-session-id'])];
  const hidden = needed.filter((name) => !exposed.includes(name) && !exposed.includes('*'));
  return [
    expected(
      hidden.length === 0,
      fine('cors.expose', 'a page can read the headers it needs'),
      wrong(
        'cors.expose',
        `a page cannot read ${hidden.join(', ')}, so it cannot sign in or go on`,
        `send Access-Control-Expose-Headers: ${needed.join(', ')}`,
      ),
    ),
  ];
}

/** A page of anybody's must not be able to call a server in its visitor's network. */
async function checkStranger(probe: Probe): Promise<EndpointFinding[]> {
  const answer = await probe.rpc({ id: 1, method: 'tools/list', params: {} }, { headers: { origin: STRANGER } });
  if (!answer) return [];
  const allowed = answer.headers.get('access-control-allow-origin');
  if (allowed === STRANGER) return [doubtful('origin', 'the Origin of any page is sent back as allowed', 'allow the origins that may call, by name')];
  if (answer.status === 403) return [fine('origin', 'a page of a stranger is refused')];
  if (answer.status === 401) return [fine('origin', 'a page of a stranger has no credential to call with (give --token to see more)')];
  const { hostname } = new URL(probe.url);
  const isNear = hostname === 'localhost' || /^127\.|^10\.|^192\.168\.|^\[::1\]$/.test(hostname);
  const text = `a request with Origin: ${STRANGER} is answered ${answer.status}`;
  const fix = 'answer 403 to an Origin that is not on your list, before anything else (DNS rebinding)';
  return [isNear ? wrong('origin', text, fix) : doubtful('origin', text, fix)];
}
