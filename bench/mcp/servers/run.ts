import type { Serving } from '../served.ts';

const servers: Readonly<Record<string, () => Promise<Serving>>> = {
  bare: async () => (await import('./bare.ts')).serveBare(),
  'sdk-v1': async () => (await import('./sdk-v1.ts')).serveSdkV1(),
  'sdk-v2': async () => (await import('./sdk-v2.ts')).serveSdkV2(),
  transport: async () => (await import('./transport.ts')).serveTransport(),
  product: async () => (await import('./product.ts')).serveProduct(),
};

/** Entry of a server's process: says where it listens, then how much CPU it has used whenever it is asked. */
const serve = servers[process.argv[2] ?? ''];
if (!serve) throw new Error(`no server ${process.argv[2]}`);
const { close, ...served } = await serve();
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMicros: user + system });
});
process.on('disconnect', () => void (close?.() ?? Promise.resolve()).finally(() => process.exit(0)));
process.send?.({ served });
