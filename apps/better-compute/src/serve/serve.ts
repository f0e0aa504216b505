import type { LoadedConfig } from '../config/load.ts';
import { openStore } from '../host/database.ts';
import { createLog } from '../host/log.ts';
import { startPlane, type Plane } from '../host/plane.ts';
import { secretOf } from '../host/secret.ts';

/** `better-compute serve`: mounts what the configuration mounts, makes nothing by itself. */
export async function startServe(config: LoadedConfig): Promise<Plane> {
  const { options } = config;
  const secret = secretOf(options, { mayMake: false });
  const database = config.iam?.store ?? (await openStore(options, { mayEmbed: false }));
  try {
    const plane = await startPlane({ options, database, secret, log: createLog(options.log), ...(config.iam ? { iam: config.iam } : {}) });
    if (config.host) await plane.mount(config.host, config.file);
    plane.open();
    return plane;
  } catch (error) {
    await database.close();
    throw error;
  }
}
