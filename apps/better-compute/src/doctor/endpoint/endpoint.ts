import { ApiError } from '@kit/operation';
import { checkBrowsers } from './browsers.ts';
import { checkChallenge, checkToken } from './challenge.ts';
import { type EndpointFinding, fine } from './finding.ts';
import { checkMessages } from './messages.ts';
import { checkAudience, checkMetadata } from './metadata.ts';
import { createProbe } from './probe.ts';
import { checkVersions } from './versions.ts';

/**
 * Looks at any MCP endpoint from outside for what keeps real clients out (compute.md §10). Changes nothing: it lists, and calls no tool. Without a token
 * it sees what a stranger sees.
 */
export async function checkEndpoint(o: { url: string; token?: string | undefined; timeoutMs?: number }): Promise<EndpointFinding[]> {
  if (!URL.canParse(o.url) || !/^https?:$/.test(new URL(o.url).protocol))
    throw new ApiError('INVALID_INPUT', 400, `${o.url} is not the address of an endpoint, such as https://compute.example.com/mcp`);
  if (o.token !== undefined && !/^[\x21-\x7e]+$/.test(o.token))
    throw new ApiError('INVALID_INPUT', 400, 'the token has characters that no header carries, such as a space or a line break: copy it again');
  const probe = createProbe(o);
  const { findings, access, metadataUrl } = await checkChallenge(probe);
  if (access === 'absent') return findings;
  if (access === 'gated') findings.push(...(await checkMetadata(probe, metadataUrl)), ...checkAudience(o.token, o.url));
  const refused = probe.hasToken ? await checkToken(probe) : [];
  const isInside = refused.length === 0 && (probe.hasToken || access === 'open');
  const versions = isInside ? await checkVersions(probe) : [];
  findings.push(...refused, ...versions, ...(await checkBrowsers(probe)));
  if (!probe.hasToken && !isInside) findings.push(fine('token', 'what comes behind the credential was not looked at: give --token'));
  // where neither era is spoken, the small print would say the same over and over
  const isSpoken = isInside && !versions.some(({ code, level }) => code === 'initialize' && level === 'error');
  return isSpoken ? [...findings, ...(await checkMessages(probe))] : findings;
}
