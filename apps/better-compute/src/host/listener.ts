import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { type Certificate, listen, type Listening } from '@kit/http';
import { invalidConfig } from '../config/invalid-config.ts';
import type { Options } from '../config/options.ts';
import type { Log } from './log.ts';

const PORTS_TRIED = 20;
const CERTIFICATE_CHECK_MS = 5_000;

export type Fetch = (request: Request, incoming: IncomingMessage) => Promise<Response>;

function readFileOf(file: string, path: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw invalidConfig(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`, { path });
  }
}

const certificateOf = ({ certFile, keyFile }: Options['tls']): Certificate | undefined =>
  certFile === undefined || keyFile === undefined ? undefined : { cert: readFileOf(certFile, 'tls.certFile'), key: readFileOf(keyFile, 'tls.keyFile') };

/** Own certificate files are served anew when they change; a half-written pair is left for the next look. */
function followCertificate(listening: Listening, tls: Options['tls'], log: Log): () => void {
  const files = [tls.certFile, tls.keyFile].filter((file) => file !== undefined);
  const renew = (): void => {
    try {
      listening.renew(certificateOf(tls)!);
      log.info({}, 'certificate renewed');
    } catch (error) {
      log.warn({ error: (error as Error).message }, 'the changed certificate cannot be used yet');
    }
  };
  for (const file of files) watchFile(file, { interval: CERTIFICATE_CHECK_MS, persistent: false }, renew);
  return () => {
    for (const file of files) unwatchFile(file, renew);
  };
}

export interface Listener {
  readonly listening: Listening;
  readonly url: string;
  stopFollowing(): void;
}

/** Listens where the settings say; `dev` takes the next free port when the wished one is taken. */
export async function openListener(options: Options, fetch: Fetch, o: { mayMovePort: boolean; log: Log }): Promise<Listener> {
  const { host, port } = options.listen;
  const tls = certificateOf(options.tls);
  for (let next = port; ; next++) {
    try {
      const listening = await listen({ host, port: next, fetch, ...(tls ? { tls } : {}) });
      const shownHost = host.includes(':') ? `[${host}]` : host;
      return {
        listening,
        url: `${tls ? 'https' : 'http'}://${shownHost}:${listening.port}`,
        stopFollowing: tls ? followCertificate(listening, options.tls, o.log) : () => {},
      };
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'EADDRINUSE' && o.mayMovePort && port !== 0 && next < port + PORTS_TRIED) continue;
      if (code === 'EADDRINUSE') throw invalidConfig(`${host}:${next} is taken: stop the other program or set listen.port`, { path: 'listen.port' });
      if (code === 'EACCES' || code === 'EADDRNOTAVAIL') throw invalidConfig(`cannot listen on ${host}:${next} (${code})`, { path: 'listen.host' });
      if (code?.startsWith('ERR_OSSL') || code?.startsWith('ERR_SSL'))
        throw invalidConfig(`the certificate or key cannot be used (${code})`, { path: 'tls.certFile' });
      throw error;
    }
  }
}
