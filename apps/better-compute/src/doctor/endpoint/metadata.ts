import { doubtful, type EndpointFinding, fine, wrong } from './finding.ts';
import { isJson, type Probe } from './probe.ts';

const ROOT = '/.well-known/oauth-protected-resource';

interface Document {
  url: string;
  resource: unknown;
  authorizationServers: string[];
  isOpenToPages: boolean;
}

/** Both places a client looks at (RFC 9728): beside the path, and at the root. */
export function formsOf(endpoint: string): { byPath: string; atRoot: string } {
  const { origin, pathname } = new URL(endpoint);
  return { byPath: `${origin}${ROOT}${pathname.replace(/\/+$/, '')}`, atRoot: `${origin}${ROOT}` };
}

/** What a client learns of where to sign in, and whether it would believe it. */
export async function checkMetadata(probe: Probe, challenged: string | undefined): Promise<EndpointFinding[]> {
  const { byPath, atRoot } = formsOf(probe.url);
  const named = challenged === undefined ? undefined : await documentAt(probe, challenged);
  const findings: EndpointFinding[] = [];
  if (challenged !== undefined && !named)
    findings.push(
      wrong(
        'metadata.challenge',
        `the challenge names ${challenged}, where there is no JSON document`,
        'serve the document there, or leave resource_metadata out',
      ),
    );
  const [path, root] = [await documentAt(probe, byPath), await documentAt(probe, atRoot)];
  const used = named ?? path ?? root;
  if (!used) return findings.length > 0 ? findings : [fine('metadata', 'no OAuth metadata: clients are given a token by hand')];
  findings.push(resourceFinding(used, probe.url));
  if (challenged === undefined)
    findings.push(
      wrong(
        'metadata.unnamed',
        `there is metadata at ${used.url}, but the challenge does not name it`,
        `send WWW-Authenticate: Bearer resource_metadata="${used.url}"`,
      ),
    );
  if (!path && !sameAddress(used.url, byPath))
    findings.push(
      doubtful(
        'metadata.by-path',
        `there is no document at ${byPath}, where clients look that do not read the challenge`,
        `serve the same document at ${byPath}`,
      ),
    );
  for (const other of [path, root])
    if (other && other.resource !== used.resource && sameResource(other.resource, probe.url)) findings.push(resourceFinding(other, probe.url));
  if (!used.isOpenToPages)
    findings.push(doubtful('metadata.cors', 'pages of other origins cannot read the metadata', 'send Access-Control-Allow-Origin: * with it: it is public'));
  return [...findings, ...(await serverFindings(probe, used))];
}

const sameAddress = (a: string, b: string): boolean => a.replace(/\/+$/, '') === b.replace(/\/+$/, '');
const sameResource = (resource: unknown, url: string): boolean => typeof resource === 'string' && sameAddress(resource, url);

async function documentAt(probe: Probe, url: string): Promise<Document | undefined> {
  const answer = await probe.ask({ method: 'GET', url, isAnonymous: true, headers: { accept: 'application/json', origin: 'https://doctor.invalid' } });
  if (answer?.status !== 200 || !isJson(answer.headers)) return undefined;
  const { resource, authorization_servers: servers } = (answer.message ?? {}) as { resource?: unknown; authorization_servers?: unknown };
  const authorizationServers = Array.isArray(servers) ? servers.filter((server): server is string => typeof server === 'string') : [];
  return { url, resource, authorizationServers, isOpenToPages: answer.headers.get('access-control-allow-origin') !== null };
}

/** Clients compare `resource` with the address they were given, to the letter, before they send anybody there. */
function resourceFinding({ resource, url }: Document, endpoint: string): EndpointFinding {
  if (resource === endpoint) return fine('metadata.resource', `${url} names exactly ${endpoint}`);
  const fix = `set resource to exactly ${endpoint}, the address clients are given (the audience of their tokens must be the same)${typeof resource === 'string' ? `, or give them ${resource}` : ''}`;
  if (sameResource(resource, endpoint))
    return wrong('metadata.slash', `${url} says resource ${String(resource)}, which differs from ${endpoint} by a slash`, fix);
  return wrong('metadata.resource', `${url} says resource ${String(resource)}, and clients are given ${endpoint}`, fix);
}

async function serverFindings(probe: Probe, { authorizationServers, url }: Document): Promise<EndpointFinding[]> {
  if (authorizationServers.length === 0) return [fine('metadata.servers', `${url} names no authorization server: clients are given a token by hand`)];
  return Promise.all(authorizationServers.map((issuer) => serverFinding(probe, issuer)));
}

async function serverFinding(probe: Probe, issuer: string): Promise<EndpointFinding> {
  if (!URL.canParse(issuer)) return wrong('server', `authorization server ${issuer} is no address`, 'name issuers by their whole address');
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/+$/, '');
  for (const at of [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ]) {
    const answer = await probe.ask({ method: 'GET', url: at, isAnonymous: true, headers: { accept: 'application/json' } });
    if (answer?.status !== 200 || !answer.message) continue;
    const found = answer.message as { issuer?: unknown; code_challenge_methods_supported?: unknown };
    if (found.issuer !== issuer)
      return wrong('server.issuer', `${at} says issuer ${String(found.issuer)}, and the metadata names ${issuer}`, 'write both alike, to the letter');
    if (!Array.isArray(found.code_challenge_methods_supported) || !found.code_challenge_methods_supported.includes('S256'))
      return wrong(
        'server.pkce',
        `${issuer} does not say that it takes PKCE with S256: MCP clients then refuse it`,
        'list S256 in code_challenge_methods_supported',
      );
    return fine('server', `${issuer} has metadata and takes PKCE with S256`);
  }
  return wrong(
    'server',
    `authorization server ${issuer} has no metadata in any of its three places`,
    `serve it at ${origin}/.well-known/oauth-authorization-server${path}`,
  );
}

/** A token that says for whom it is must say it of this endpoint. */
export function checkAudience(token: string | undefined, endpoint: string): EndpointFinding[] {
  const payload = token?.split('.').length === 3 ? token.split('.')[1] : undefined;
  if (payload === undefined) return [];
  let audience: unknown;
  try {
    audience = (JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as { aud?: unknown }).aud;
  } catch {
    return [];
  }
  const names = [audience].flat();
  if (names.includes(endpoint)) return [fine('token.audience', `the token is for ${endpoint}`)];
  const slash = names.some((name) => sameResource(name, endpoint)) ? ' (they differ by a slash)' : '';
  return [
    wrong(
      'token.audience',
      `the token is for ${names.map(String).join(', ')}, and this is ${endpoint}${slash}`,
      'ask the authorization server with resource = the address of the endpoint, to the letter',
    ),
  ];
}
