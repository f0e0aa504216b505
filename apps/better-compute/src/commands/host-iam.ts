import type { BetterIam } from '@better-iam/server';
import { loadConfig } from '../config/load.ts';
import { secretOf } from '../host/secret.ts';
import type { Terminal } from './terminal.ts';

/**
 * IAM over the deployment's own database and secret, for what works on the host and in no other way (iam.md §5, §3.5). Whoever can open both is the
 * deployment.
 */
export async function withHostIam<T>(terminal: Terminal, configFile: string | undefined, work: (iam: BetterIam) => Promise<T>): Promise<T> {
  const config = await loadConfig({ cwd: terminal.cwd, env: terminal.env, ...(configFile === undefined ? {} : { file: configFile }) });
  const [{ betterIam }, { openStore }, { derivedKey }] = await Promise.all([
    import('@better-iam/server'),
    import('../host/database.ts'),
    import('../host/services.ts'),
  ]);
  const database = await openStore(config.options, { mayEmbed: false });
  try {
    const iam = betterIam({
      database,
      secret: derivedKey(secretOf(config.options, { mayMake: false }), 'iam'),
      baseURL: config.options.publicUrl ?? 'http://127.0.0.1:7070',
      permissions: { actions: [], resourceTypes: {} },
    });
    await iam.initialize();
    return await work(iam);
  } finally {
    await database.close();
  }
}
