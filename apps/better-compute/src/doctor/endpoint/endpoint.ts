import { ApiError } from '@kit/operation';
import { checkBrowsers } from './browsers.ts';
import { checkChallenge } from './challenge.ts';
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
  const probe = createProbe(o);
  const { findings, isGated, metadataUrl } = await checkChallenge(probe);
  if (findings.some(({ code }) => code === 'reach' || code === 'path' || code === 'redirect')) return findings;
  if (isGated) findings.push(...(await checkMetadata(probe, metadataUrl)), ...checkAudience(o.token, o.url));
  const isOpen = probe.hasToken || !isGated;
  if (isOpen) findings.push(...(await checkVersions(probe)));
  findings.push(...(await checkBrowsers(probe)));
  if (isOpen) findings.push(...(await checkMessages(probe)));
  else findings.push(fine('token', 'what comes behind the credential was not looked at: give --token'));
  return findings;
}
