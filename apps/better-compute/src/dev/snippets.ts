import type { World } from './world-file.ts';
import { faint, strong } from '../commands/terminal.ts';

export interface Snippets {
  claudeCode: string;
  vsCode: string;
  cursor: string;
  curl: string;
  bridge: string;
}

/** Ready lines for known MCP clients, for the demo agent (issue point 7). */
export function snippetsOf(world: World, token: string): Snippets {
  const mcp = `${world.url}/mcp`;
  const server = { url: mcp, headers: { Authorization: `Bearer ${token}` } };
  return {
    claudeCode: `claude mcp add --transport http better-compute ${mcp} --header "Authorization: Bearer ${token}"`,
    vsCode: `.vscode/mcp.json  ${JSON.stringify({ servers: { 'better-compute': { type: 'http', ...server } } })}`,
    cursor: `.cursor/mcp.json  ${JSON.stringify({ mcpServers: { 'better-compute': server } })}`,
    curl: `curl -s ${mcp} -H 'authorization: Bearer ${token}' -H 'content-type: application/json' -H 'accept: application/json, text/event-stream' -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_pools","arguments":{}}}'`,
    bridge: `BETTER_COMPUTE_AGENT_KEY=${world.agent.key} better-compute mcp --url ${world.url} --delegation ${world.delegationId}`,
  };
}

export function welcome(world: World, snippets: Snippets, o: { isNew: boolean; expiresAt: number; seconds: string }): string {
  return [
    '',
    `${strong('Better Compute')} is ready in ${o.seconds} s at ${strong(world.url)}`,
    '',
    `  ${strong('Approvals')}   ${world.url}/approvals`,
    `  ${strong('Sign in')}     organization ${strong(world.demo.slug)}, ${strong(world.person.email)}, password ${strong(world.person.password)}`,
    faint(
      `              platform administrator: organization ${world.platform.slug}, ${world.platform.admin.email}, password ${world.platform.admin.password}; enrols a second factor first`,
    ),
    `  ${strong('Agent')}       ${world.agent.name} acts for ${world.person.name}; creating and extending reservations waits for approval`,
    '',
    strong('  Give it to an agent') + faint(` (token good until ${new Date(o.expiresAt).toISOString().slice(0, 16).replace('T', ' ')} UTC)`),
    `  Claude Code  ${snippets.claudeCode}`,
    `  VS Code      ${snippets.vsCode}`,
    `  Cursor       ${snippets.cursor}`,
    `  curl         ${snippets.curl}`,
    `  stdio        ${snippets.bridge}`,
    '',
    faint('  Ctrl-C stops it. `better-compute confirm list` shows what waits for you; `--fresh` starts over.'),
    '',
  ].join('\n');
}
