import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

/** No inline script or style, nothing from elsewhere, no framing: a page that shows an agent's words must not run them. */
const SECURITY = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
} as const;

interface Asset {
  body: Buffer;
  type: string;
  etag: string;
}

/** The folder of the built console: beside the bundle in a release, in the workspace otherwise. */
export function consoleDir(): string | undefined {
  const released = join(import.meta.dirname, 'console');
  if (existsSync(join(released, 'index.html'))) return released;
  try {
    const built = join(dirname(createRequire(import.meta.url).resolve('@better-compute/console/package.json')), 'dist');
    return existsSync(join(built, 'index.html')) ? built : undefined;
  } catch {
    return undefined;
  }
}

/** Serves the built console from memory: only files that were there at start can ever be asked for. */
export function createConsole(dir: string | undefined): (path: string, request: Request) => Response | undefined {
  const assets = new Map<string, Asset>();
  if (dir)
    for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
      const type = TYPES[extname(name)];
      if (!type) continue;
      const body = readFileSync(join(dir, name));
      assets.set(`/${name.replaceAll('\\', '/')}`, { body, type, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` });
    }
  const isPage = (path: string): boolean => path === '/' || path === '/approvals' || path.startsWith('/approvals/') || path === '/device';
  return (path, request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
    const asset = assets.get(isPage(path) ? '/index.html' : path);
    if (!asset)
      return isPage(path)
        ? new Response('The console is not built here. Run: npm run setup. Or use: better-compute confirm list', {
            status: 503,
            headers: { 'content-type': 'text/plain; charset=utf-8' },
          })
        : undefined;
    const isHashed = path.startsWith('/assets/');
    const headers = {
      ...SECURITY,
      'content-type': asset.type,
      etag: asset.etag,
      'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    };
    if (request.headers.get('if-none-match') === asset.etag) return new Response(null, { status: 304, headers });
    return new Response(request.method === 'HEAD' ? null : new Uint8Array(asset.body), { headers });
  };
}
