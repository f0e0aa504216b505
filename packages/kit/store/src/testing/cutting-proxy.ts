import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface CuttingProxy extends AsyncDisposable {
  url: string;
  /** From now on the first client message that holds the word reaches the server, and its answer nobody. */
  arm(): void;
}

/** Stands between a client and the server of a connection string, and cuts the line at the worst moment. */
export async function cuttingProxy(connectionString: string, word: string): Promise<CuttingProxy> {
  const target = new URL(connectionString.replace('@/', '@socket/'));
  const upstreamPath = join(target.searchParams.get('host') ?? '', `.s.PGSQL.${target.searchParams.get('port')}`);
  const folder = await mkdtemp(join(tmpdir(), 'bc-proxy-'));
  const socket = '.s.PGSQL.5432';
  let isArmed = false;
  const open = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const upstream = net.connect(upstreamPath);
    for (const s of [client, upstream]) {
      open.add(s);
      s.on('error', () => {});
      s.on('close', () => open.delete(s));
    }
    upstream.pipe(client);
    upstream.on('close', () => client.destroy());
    client.on('close', () => upstream.end());
    client.on('data', (data) => {
      if (isArmed && data.includes(word)) {
        isArmed = false;
        upstream.unpipe(client);
        upstream.resume();
        upstream.write(data, () => client.destroy());
      } else upstream.write(data);
    });
  });
  await new Promise<void>((resolve) => server.listen(join(folder, socket), resolve));
  target.searchParams.set('host', folder);
  return {
    url: target.href.replace('@socket/', '@/'),
    arm: () => {
      isArmed = true;
    },
    [Symbol.asyncDispose]: async () => {
      for (const s of open) s.destroy();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true });
    },
  };
}
