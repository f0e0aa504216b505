import { chmodSync, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DevProcess, removeFolder, startDevProcess, temporaryFolder } from '../../tests/support/dev-process.ts';

export interface OwnDev extends DevProcess {
  /** Stops it and removes its folder. */
  end(): Promise<void>;
}

/**
 * A real `better-compute dev` on a new folder, which bounds no rate. `hasOwnNode`: by a copy of this Node, whose pages nothing outside of its tree shares.
 */
export async function startOwnDev(o: { hasOwnNode?: boolean } = {}): Promise<OwnDev> {
  const folder = temporaryFolder();
  // the database's own user must get in
  chmodSync(folder, 0o711);
  const node = o.hasOwnNode ? join(folder, 'node') : process.execPath;
  if (o.hasOwnNode) copyFileSync(process.execPath, node);
  try {
    const dev = await startDevProcess(join(folder, 'data'), [], { BETTER_COMPUTE_LIMITS_REQUESTS_PER_MINUTE: '1000000' }, node);
    return {
      ...dev,
      async end() {
        await dev.stop();
        await removeFolder(folder);
      },
    };
  } catch (error) {
    await removeFolder(folder);
    throw error;
  }
}
