import type { IncomingMessage } from 'node:http';

const INCOMING = Symbol('incoming');
const BODY = Symbol('body');

interface FromSocket extends Request {
  [INCOMING]: IncomingMessage;
  [BODY]?: ReadableStream<Uint8Array> | null;
}

/** The prototype the adaptor gives its requests, with ours before it: one for all, so that they stay of one shape. */
const derived = new WeakMap<object, object>();

/**
 * Lets a request's `body` come straight from its socket. The adaptor's own makes a native Request, an abort signal and two streams for it, which is more
 * than the rest of a small call together. Once read, `text()` and its like refuse as for any used body.
 */
export function readsFromSocket(request: Request, incoming: IncomingMessage): Request {
  if (request.method === 'GET' || request.method === 'HEAD') return request;
  const given = Object.getPrototypeOf(request) as object;
  let ours = derived.get(given);
  if (!ours) derived.set(given, (ours = Object.create(given, accessorsOver(given)) as object));
  (request as FromSocket)[INCOMING] = incoming;
  return Object.setPrototypeOf(request, ours) as Request;
}

const accessorsOver = (given: object): PropertyDescriptorMap => ({
  body: {
    configurable: true,
    get(this: FromSocket) {
      return (this[BODY] ??= isUntouched(this[INCOMING]) ? streamOf(this[INCOMING]) : Reflect.get(given, 'body', this));
    },
  },
  bodyUsed: {
    configurable: true,
    get(this: FromSocket) {
      return this[INCOMING].readableDidRead;
    },
  },
});

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
