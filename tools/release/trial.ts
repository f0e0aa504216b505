import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { binOf, type Environment, run } from './command.ts';
import { ReleaseFailure } from './failure.ts';
import { leftovers } from './leftovers.ts';
import { askForPools } from './mcp-call.ts';
import { type Ready, startDev } from './server.ts';

const check = (isRight: boolean, sentence: string): void => {
  if (!isRight) throw new ReleaseFailure(sentence);
};

/** The page and every script and style it names are served, so the console is inside and whole. */
async function checkConsole({ url }: Ready): Promise<void> {
  const page = await fetch(`${url}/approvals`, { signal: AbortSignal.timeout(20_000) });
  const text = await page.text();
  check(page.status === 200, `the approvals page answered ${page.status} ${text.slice(0, 200)}`);
  const assets = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
  check(
    assets.some((path) => path.endsWith('.js')),
    'the approvals page names no script',
  );
  for (const path of assets) {
    const asset = await fetch(url + path, { signal: AbortSignal.timeout(20_000) });
    check(asset.status === 200 && (await asset.arrayBuffer()).byteLength > 0, `${path} of the approvals page answered ${asset.status}`);
  }
}

/** `dev` from an installed package: ready, one MCP call, the page, SIGTERM, exit 0, no process left. */
export async function tryDev(program: string, o: { folder: string; version: string; env: Environment; say(line: string): void }): Promise<void> {
  const dataDir = join(o.folder, 'data');
  const server = await startDev(program, { folder: o.folder, dataDir, env: o.env });
  try {
    o.say(`dev is ready at ${server.ready.url}`);
    const { version, pools } = await askForPools(server.ready);
    check(version === o.version, `the server says it is ${version}, not ${o.version}`);
    check(pools > 0, 'list_pools named no pool');
    o.say(`MCP: initialize and list_pools answered, ${pools} pools`);
    await checkConsole(server.ready);
    o.say('the approvals page is served with its scripts and styles');
    const code = await server.stop();
    check(code === 0, `better-compute dev ended with ${code} after SIGTERM`);
  } finally {
    server.kill();
  }
  const left = await leftovers(o.folder);
  check(left.length === 0, ['processes are left after dev has ended:', ...left.map(({ pid, command }) => `${pid} ${command}`)].join('\n'));
  o.say('dev stopped on SIGTERM with exit 0, no process left');
}

const typesText = `import { defineOptions } from 'better-compute/cli';
import { gateTools } from 'better-compute/mcp';

export const options = defineOptions({ publicUrl: 'https://compute.example.com' });
export const rules = gateTools();
// @ts-expect-error
defineOptions({ publicUrl: 1 });
// @ts-expect-error
gateTools(1);
`;

/** The declarations of both entries lead a compiler to real types: to `any`, the two wrong calls would be no errors. */
export function tryTypes(root: string, o: { folder: string; say(line: string): void }): void {
  const file = join(o.folder, 'types.ts');
  writeFileSync(file, typesText);
  const flags = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', ''];
  run(binOf(root, 'tsc'), [...flags, file], { cwd: o.folder, env: process.env, purpose: 'the declarations are not right', secondsMax: 120 });
  o.say('better-compute/cli and better-compute/mcp have types');
}

/** The file of an operator: product.md §4, with the public address that `serve` wants. */
const configText = `import { createMcpGate } from '@better-iam/mcp';
import { defineHost, defineOptions } from 'better-compute/cli';
import { computeMcpEndpoint, gateTools } from 'better-compute/mcp';

export const options = defineOptions({ publicUrl: 'https://compute.example.com', trustedProxies: 1 });

export const host = defineHost(({ compute, iam, platformTenantId }) => ({
  mcp: {
    path: '/mcp',
    handler: computeMcpEndpoint({
      compute,
      gate: createMcpGate({ iam, tenantId: platformTenantId, tools: gateTools(), unlisted: 'deny', confirmations: false }),
      delegations: iam.api.delegations,
    }).handler,
  },
}));
`;

/** A configuration in a folder without any node_modules, read by the program that `npm i -g` put elsewhere. */
export function tryConfig(program: string, o: { folder: string; version: string; env: Environment; say(line: string): void }): void {
  mkdirSync(o.folder);
  const inFolder = { cwd: o.folder, env: o.env, secondsMax: 60 };
  const version = run(program, ['--version'], { ...inFolder, purpose: 'the installed program does not start' }).trim();
  check(version === o.version, `better-compute --version says ${version}, not ${o.version}`);
  run(program, ['config', 'check'], { ...inFolder, purpose: 'without a file the settings are not valid' });
  const file = join(o.folder, 'better-compute.config.ts');
  writeFileSync(file, configText);
  const said = JSON.parse(run(program, ['config', 'check', '--json'], { ...inFolder, purpose: 'a configuration file does not load' })) as {
    valid?: boolean;
    file?: string;
  };
  check(said.valid === true && said.file === file, `config check did not read ${file}: ${JSON.stringify(said)}`);
  o.say('config check is content without a file and with a better-compute.config.ts');
}
