import { fork } from 'node:child_process';
import { once } from 'node:events';

/** What the other process is told to be: a load generator over HTTP, or a control plane with callers in it. */
export type Role = { keys: readonly string[]; poolId: string } & ({ kind: 'generator'; url: string } | { kind: 'plane'; connectionString: string });

export interface Helper {
  /** Creates so many; gives the rate. */
  run(times: number): Promise<number>;
  end(): Promise<void>;
}

export async function startHelper(role: Role): Promise<Helper> {
  const child = fork(new URL('helper-process.ts', import.meta.url), { stdio: 'inherit' });
  const answer = async (message: object): Promise<number> => {
    child.send(message);
    const [told] = (await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(() => {
        throw new Error('the other process ended');
      }),
    ])) as [{ rate: number }];
    return told.rate;
  };
  await answer({ role });
  return {
    run: (times) => answer({ times }),
    async end() {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
