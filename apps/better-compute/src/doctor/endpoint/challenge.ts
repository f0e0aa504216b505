import { doubtful, type EndpointFinding, expected, fine, wrong } from './finding.ts';
import type { Answer, Probe } from './probe.ts';

export interface Challenged {
  findings: EndpointFinding[];
  /**
   * `gated`: it asks for a credential. `open`: it answers without one. `shut`: it refuses whoever has none, and not in a way that asks for one.
   * `absent`: there is nothing more to be learnt at this address.
   */
  access: 'gated' | 'open' | 'shut' | 'absent';
  /** Address of the metadata, as the challenge says it. */
  metadataUrl?: string;
}

const LIST = { id: 1, method: 'tools/list', params: {} };
const SEND_CHALLENGE = 'answer 401 with WWW-Authenticate: Bearer resource_metadata="https://HOST/.well-known/oauth-protected-resource/PATH"';

/** What a client without a credential meets first: without a readable challenge it cannot even begin to sign in. */
export async function checkChallenge(probe: Probe): Promise<Challenged> {
  const answer = await probe.rpc(LIST, { isAnonymous: true });
  if (!answer) {
    const fix = 'check the address, the certificate and that the server runs';
    return { access: 'absent', findings: [wrong('reach', `no answer from ${probe.url} within 5 s: ${probe.failure}`, fix)] };
  }
  const early = notAnEndpoint(answer, probe.url);
  if (early) return { access: 'absent', findings: [early] };
  if (answer.status !== 401) return unchallenged(answer);
  const { findings, parameters } = readChallenge(answer);
  const metadataUrl = parameters?.get('resource_metadata');
  return { access: 'gated', findings: [...findings, ...(await checkBadToken(probe))], ...(metadataUrl === undefined ? {} : { metadataUrl }) };
}

function notAnEndpoint({ status, headers, message }: Answer, url: string): EndpointFinding | undefined {
  if (status >= 300 && status < 400)
    return wrong(
      'redirect',
      `${url} redirects to ${headers.get('location') ?? 'nowhere'}: clients do not follow with a POST, and drop the credential`,
      'answer at the address that clients are given, with and without a slash at its end',
    );
  if (status === 404) return wrong('path', `there is nothing at ${url} (404)`, 'give clients the address of the endpoint itself, such as https://HOST/mcp');
  if (status === 405)
    return wrong(
      'path',
      `POST to ${url} is answered 405: it is no Streamable HTTP endpoint, or one of the HTTP+SSE transport of 2024-11-05`,
      'give clients the address that takes POST, such as https://HOST/mcp; newer clients no longer speak HTTP+SSE',
    );
  if (status === 429) return wrong('limited', `${url} is answered 429: too many requests from here`, 'wait, and run this again');
  if (status >= 500) return wrong('fault', `without a credential it answers ${status}`, 'read the log of the server, and of the proxy in front of it');
  if (status < 300 && message?.jsonrpc !== '2.0')
    return wrong(
      'path',
      `${url} answers ${status} ${headers.get('content-type') ?? 'without a content type'} and no JSON-RPC message: a page, or a proxy, stands there`,
      'give clients the address of the endpoint itself, such as https://HOST/mcp',
    );
  return undefined;
}

/** It answers, and does not ask for a credential. */
function unchallenged({ status, message }: Answer): Challenged {
  if (status === 403)
    return {
      access: 'shut',
      findings: [wrong('challenge.status', 'without a credential it answers 403: clients take that as final and never sign in', SEND_CHALLENGE)],
    };
  if (message?.jsonrpc === '2.0')
    return { access: 'open', findings: [doubtful('ungated', 'it answers without a credential', 'put a gate in front, unless anybody may call it')] };
  return { access: 'shut', findings: [wrong('challenge.status', `without a credential it answers ${status} and no JSON-RPC message`, SEND_CHALLENGE)] };
}

/** Whether the token that was given opens it: behind a door that stays shut nothing is seen. */
export async function checkToken(probe: Probe): Promise<EndpointFinding[]> {
  const answer = await probe.rpc(LIST);
  if (answer?.status !== 401 && answer?.status !== 403) return [];
  return [
    wrong(
      'token',
      `the token that was given is answered ${answer.status}, so what comes behind it was not looked at`,
      'give one that is for this endpoint and has not ended',
    ),
  ];
}

function readChallenge({ headers }: Answer): { findings: EndpointFinding[]; parameters?: Map<string, string> } {
  const value = headers.get('www-authenticate');
  if (value === null) return { findings: [wrong('challenge.missing', 'the 401 has no WWW-Authenticate', SEND_CHALLENGE)] };
  const parameters = parametersOf(value);
  if (!parameters) return { findings: [wrong('challenge.form', `WWW-Authenticate is not a Bearer challenge that can be read: ${value}`, SEND_CHALLENGE)] };
  const findings = [fine('challenge', 'without a credential it answers 401 with a Bearer challenge')];
  if (parameters.has('error'))
    findings.push(
      doubtful(
        'challenge.error',
        `the challenge says error="${parameters.get('error')}" though no credential was sent: clients then throw theirs away`,
        'leave `error` out when no credential came',
      ),
    );
  const url = parameters.get('resource_metadata');
  if (url !== undefined && !/^https?:\/\//.test(url))
    findings.push(wrong('challenge.metadata', `resource_metadata must be a whole address, and is ${url}`, 'write it with its scheme and host'));
  return { findings, parameters };
}

/** `Bearer a="b", c=d`: undefined where it is anything else. */
export function parametersOf(value: string): Map<string, string> | undefined {
  const rest = /^bearer(?:\s+(.*))?$/is.exec(value.trim());
  if (!rest) return undefined;
  const parameters = new Map<string, string>();
  let left = rest[1]?.trim() ?? '';
  while (left !== '') {
    const match = /^([A-Za-z0-9_-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([A-Za-z0-9._~+/:=-]+))\s*(?:,\s*|$)/s.exec(left);
    if (!match) return undefined;
    parameters.set(match[1]!.toLowerCase(), (match[2] ?? match[3] ?? '').replaceAll(/\\(.)/gs, '$1'));
    left = left.slice(match[0].length);
  }
  return parameters;
}

async function checkBadToken(probe: Probe): Promise<EndpointFinding[]> {
  const answer = await probe.rpc(LIST, { isAnonymous: true, headers: { authorization: 'Bearer not-a-token-of-anybody' } });
  if (answer?.status !== 401)
    return [
      wrong(
        'challenge.bad-token',
        `a token of nobody is answered ${answer?.status ?? 'with nothing'}, not 401: clients then never renew theirs`,
        'answer 401 with error="invalid_token"',
      ),
    ];
  const error = parametersOf(answer.headers.get('www-authenticate') ?? '')?.get('error');
  return [
    expected(
      error === 'invalid_token',
      fine('challenge.bad-token', 'a token of nobody is answered 401 invalid_token'),
      doubtful(
        'challenge.bad-token',
        'the 401 for a token of nobody does not say error="invalid_token"',
        'say it, so that clients renew their token instead of giving up',
      ),
    ),
  ];
}
