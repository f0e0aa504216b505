import { ApiError, refusalOf } from '@kit/operation';
import type { BetterIam } from '@better-iam/server';
import type { Database } from '@kit/store';
import { type LoadedConfig, loadConfig } from '../config/load.ts';
import { secretOf } from '../host/secret.ts';
import type { HostIam } from '../host-socket/answer.ts';
import { askServe } from '../host-socket/ask.ts';
import { overridesOf } from './dev.ts';
import { faint, type Terminal } from './terminal.ts';

export interface HostFlags {
  config?: string;
  dataDir?: string;
}

/**
 * IAM for what works on the host and in no other way (iam.md §5, §3.5): that of a running `serve` of the same data folder and account, else over the
 * deployment's own database and secret. Whoever can reach either is the deployment.
 */
export async function withHostIam<T>(terminal: Terminal, flags: HostFlags, work: (iam: HostIam) => Promise<T>): Promise<T> {
  const { config: file } = flags;
  const config = await loadConfig({ cwd: terminal.cwd, env: terminal.env, overrides: overridesOf(flags), ...(file === undefined ? {} : { file }) });
  const serve = await askServe(config.options.dataDir);
  if ('none' in serve) return await withDatabase(terminal, config, serve.none, work);
  terminal.err(faint('asking the running serve'));
  try {
    return await work(serve);
  } finally {
    serve.close();
  }
}

async function withDatabase<T>(terminal: Terminal, config: LoadedConfig, none: string, work: (iam: BetterIam) => Promise<T>): Promise<T> {
  const { iam, database } = await open(config).catch((error: unknown) => {
    const refusal = refusalOf(error);
    throw refusal?.code === 'INVALID_CONFIG' ? new ApiError(refusal.code, refusal.status, `${refusal.message} (${none})`) : error;
  });
  try {
    terminal.err(faint(`opening the database: ${none}`));
    await iam.initialize();
    return await work(iam);
  } finally {
    await database.close();
  }
}

async function open({ options }: LoadedConfig): Promise<{ iam: BetterIam; database: Database }> {
  const secret = secretOf(options, { mayMake: false });
  const [{ betterIam }, { openStore }, { derivedKey }] = await Promise.all([
    import('@better-iam/server'),
    import('../host/database.ts'),
    import('../host/services.ts'),
  ]);
  const database = await openStore(options, { mayEmbed: false });
  const baseURL = options.publicUrl ?? 'http://127.0.0.1:7070';
  return { database, iam: betterIam({ database, secret: derivedKey(secret, 'iam'), baseURL, permissions: { actions: [], resourceTypes: {} } }) };
}
