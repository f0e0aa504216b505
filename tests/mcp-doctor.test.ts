import { spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OptionsSchema } from '../apps/better-compute/src/config/options.ts';
import { shippedHost } from '../apps/better-compute/src/dev/shipped-config.ts';
import { PROGRAM } from './support/dev-process.ts';
import { startDeployment, type Deployment } from './support/deployment.ts';

let d: Deployment;
beforeAll(async () => {
  d = await startDeployment({ hasNodes: false });
  await d.mount(shippedHost({ publicUrl: d.plane.publicUrl, demoTenantId: d.alice.tenantId, options: OptionsSchema.parse({}) }));
});
afterAll(() => d.stop());

/** Not in step with the server, which lives in this process. */
function doctor(args: string[]): Promise<{ code: number | null; out: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, 'doctor', 'mcp', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.on('data', (chunk) => (out += String(chunk)));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, out }));
  });
}

describe('compute§10 doctor mcp URL', () => {
  test('finds nothing wrong with what dev mounts, seen as an agent', async () => {
    const { code, out } = await doctor([`${d.plane.url}/mcp`, '--token', d.agentToken, '--json']);
    const { url, findings } = JSON.parse(out) as { url: string; findings: { level: string; code: string }[] };
    expect(url).toBe(`${d.plane.url}/mcp`);
    expect(findings.filter(({ level }) => level !== 'ok')).toEqual([]);
    expect(findings.map((finding) => finding.code)).toEqual(
      expect.arrayContaining(['challenge', 'metadata.resource', 'versions.modern', 'cors.expose', 'origin', 'ids', 'tools']),
    );
    expect(code).toBe(0);
  });

  test('as a stranger, in lines with what to mend', async () => {
    const right = await doctor([`${d.plane.url}/mcp`]);
    expect(right.out).toContain('challenge: without a credential it answers 401 with a Bearer challenge');
    expect(right.code).toBe(0);
    const slash = await doctor([`${d.plane.url}/mcp/`]);
    expect(slash.out).toContain(`set resource to exactly ${d.plane.url}/mcp/`);
    expect(slash.code).toBe(1);
  });
});
