import type { LoadedConfig } from '../config/load.ts';
import { openStore } from '../host/database.ts';
import { createLog } from '../host/log.ts';
import { startPlane, type Plane } from '../host/plane.ts';
import { secretOf } from '../host/secret.ts';
import { type After, offerHostSocket } from '../host-socket/offer.ts';

const after: After = (ms, fn) => {
  const timer = setTimeout(fn, ms).unref();
  return () => clearTimeout(timer);
};

/** `better-compute serve`: mounts what the configuration mounts, makes nothing by itself. */
export async function startServe(config: LoadedConfig): Promise<Plane> {
  const { options } = config;
  const secret = secretOf(options, { mayMake: false });
  const database = config.iam?.store ?? (await openStore(options, { mayEmbed: false }));
  try {
    const log = createLog(options.log);
    const plane = await startPlane({ options, database, secret, log, ...(config.iam ? { iam: config.iam } : {}) });
    if (config.host) await plane.mount(config.host, config.file);
    plane.open();
    const { dataDir } = options;
    const hostSocket = offerHostSocket({ dataDir, iam: plane.iam, log, now: Date.now, after });
    return {
      ...plane,
      async stop() {
        await hostSocket.close();
        await plane.stop();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
