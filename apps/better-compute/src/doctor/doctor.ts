import { resolve } from 'node:path';
import { refusalOf } from '@kit/operation';
import type { LoadedConfig } from '../config/load.ts';
import { openStore } from '../host/database.ts';
import { createLog } from '../host/log.ts';
import { startPlane } from '../host/plane.ts';
import { secretOf } from '../host/secret.ts';
import { shippedHost } from '../dev/shipped-config.ts';
import { readWorld } from '../dev/world-file.ts';
import type { Finding } from './findings.ts';
import { probeMount } from './probe-mount.ts';

const CLOCK_SKEW_MAX_MS = 2_000;

/** Looks at everything a deployment needs, and says what is wrong and what to do. Changes nothing but pending migrations. */
export async function doctor(config: LoadedConfig): Promise<Finding[]> {
  const findings: Finding[] = [
    { level: 'ok', code: 'config', text: config.file ? `${config.file} is valid` : 'no configuration file; defaults and environment are valid' },
  ];
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 24) findings.push({ level: 'error', code: 'node', text: `Node 24 or newer is needed, this is ${process.version}` });
  const world = readWorld(resolve(config.options.dataDir));
  const isDev = world !== undefined && config.host === undefined;
  try {
    const secret = secretOf(config.options, { mayMake: isDev });
    const database = config.iam?.store ?? (await openStore(config.options, { mayEmbed: isDev }));
    const options = {
      ...config.options,
      listen: { host: '127.0.0.1', port: 0 },
      only: ['iam', 'compute', 'mcp', 'console'] as ('iam' | 'compute' | 'mcp' | 'console')[],
      drainSeconds: 0,
    };
    const plane = await startPlane({
      options,
      database,
      secret,
      log: createLog({ level: 'silent', format: 'json' }),
      ...(config.iam ? { iam: config.iam } : {}),
    });
    try {
      findings.push({ level: 'ok', code: 'database', text: `PostgreSQL ${database.serverVersion} (${database.engine}) answers, migrations done` });
      const skew = Math.abs((await database.nowMs()) - Date.now());
      if (skew > CLOCK_SKEW_MAX_MS)
        findings.push({
          level: 'warning',
          code: 'clock',
          text: `the database's clock is ${Math.round(skew / 1000)} s off this machine's: run a time service on both`,
        });
      const root = await plane.iam.rootTenantId();
      if (root === undefined)
        findings.push({ level: 'warning', code: 'iam.bootstrap', text: 'the platform does not exist yet: run `better-compute iam bootstrap`' });
      const host = config.host ?? (world ? shippedHost({ publicUrl: plane.publicUrl, demoTenantId: world.demo.tenantId, options }) : undefined);
      if (host && root !== undefined) await plane.mount(host, config.file);
      for (const mount of plane.mounts)
        findings.push((await probeMount(mount, plane.url)) ?? { level: 'ok', code: 'host.mcp', text: `${mount.path} asks for a credential` });
      if (plane.mounts.length === 0) findings.push({ level: 'ok', code: 'host.mcp', text: 'no MCP endpoint is mounted' });
    } finally {
      await plane.stop();
    }
  } catch (error) {
    const refusal = refusalOf(error);
    findings.push({ level: 'error', code: refusal?.code ?? 'start', text: refusal?.message ?? (error as Error).message });
  }
  return findings;
}
