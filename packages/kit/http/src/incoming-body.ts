import type { IncomingMessage } from 'node:http';

/**
 * Lets a request's `body` come straight from its socket. The adaptor's own makes a native Request, an abort signal and two streams for it, which is more
 * than the rest of a small call together. Once read, `text()` and its like refuse as for any used body.
 */
export function readsFromSocket(request: Request, incoming: IncomingMessage): Request {
  if (request.method === 'GET' || request.method === 'HEAD') return request;
  let body: ReadableStream<Uint8Array> | null | undefined;
  return Object.defineProperties(request, {
    body: {
      configurable: true,
      get: () => (body ??= isUntouched(incoming) ? streamOf(incoming) : Reflect.get(Object.getPrototypeOf(request), 'body', request)),
    },
    bodyUsed: { configurable: true, get: () => incoming.readableDidRead },
  });
}

/** Read by other means, or cut off: that is for the adaptor to say. */
const isUntouched = (incoming: IncomingMessage): boolean => !incoming.readableDidRead && !incoming.destroyed && incoming.errored === null;

/** Takes no more from the socket than was asked for and one chunk. */
function streamOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  let forget = () => {};
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const onData = (chunk: Buffer) => {
          controller.enqueue(chunk);
          if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
        };
        const onEnd = () => {
          forget();
          controller.close();
        };
        const onCut = (error?: Error) => {
          forget();
          controller.error(error ?? new Error('the client closed the connection'));
        };
        forget = () => incoming.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut);
        incoming.on('end', onEnd).on('error', onCut).on('close', onCut).on('data', onData);
        incoming.pause();
      },
      pull: () => void incoming.resume(),
      cancel() {
        forget();
        incoming.pause();
      },
    },
    { highWaterMark: 0 },
  );
}
