import { doubtful, type EndpointFinding, expected, fine, wrong } from './finding.ts';
import type { Answer, Probe } from './probe.ts';

export interface Challenged {
  findings: EndpointFinding[];
  /** Whether it asks for a credential at all. */
  isGated: boolean;
  /** Address of the metadata, as the challenge says it. */
  metadataUrl?: string;
}

const LIST = { id: 1, method: 'tools/list', params: {} };
const SEND_CHALLENGE = 'answer 401 with WWW-Authenticate: Bearer resource_metadata="https://HOST/.well-known/oauth-protected-resource/PATH"';

/** What a client without a credential meets first: without a readable challenge it cannot even begin to sign in. */
export async function checkChallenge(probe: Probe): Promise<Challenged> {
  const answer = await probe.rpc(LIST, { isAnonymous: true });
  if (!answer)
    return {
      isGated: false,
      findings: [wrong('reach', `no answer from ${probe.url} within 5 s`, 'check the address, the certificate and that the server runs')],
    };
  const early = notAnEndpoint(answer, probe.url);
  if (early) return { isGated: false, findings: [early] };
  if (answer.status !== 401) return ungated(answer);
  const { findings, parameters } = readChallenge(answer);
  const metadataUrl = parameters?.get('resource_metadata');
  return { isGated: true, findings: [...findings, ...(await checkBadToken(probe))], ...(metadataUrl === undefined ? {} : { metadataUrl }) };
}

function notAnEndpoint({ status, headers }: Answer, url: string): EndpointFinding | undefined {
  if (status >= 300 && status < 400)
    return wrong(
      'redirect',
      `${url} redirects to ${headers.get('location') ?? 'nowhere'}: clients do not follow with a POST, and drop the credential`,
      'answer at the address that clients are given, with and without a slash at its end',
    );
  if (status === 404) return wrong('path', `there is nothing at ${url} (404)`, 'give clients the address of the endpoint itself, such as https://HOST/mcp');
  if (status === 403) return wrong('challenge.status', 'without a credential it answers 403: clients take that as final and never sign in', SEND_CHALLENGE);
  return status >= 500 ? wrong('fault', `without a credential it answers ${status}`, SEND_CHALLENGE) : undefined;
}

const ungated = ({ status, message }: Answer): Challenged => ({
  isGated: false,
  findings: [
    message?.result || message?.error
      ? doubtful('ungated', 'it answers without a credential', 'put a gate in front, unless anybody may call it')
      : wrong('challenge.status', `without a credential it answers ${status} and no JSON-RPC message`, SEND_CHALLENGE),
  ],
});

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
