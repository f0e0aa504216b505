import { type CallOptions, type Client, ClientError, type ClientOptions, createClient } from '@kit/operation';
import { iamService } from '@better-iam/contract';

/** Every method of IAM's API over HTTP. */
export type FullApi = Client<typeof iamService>;
export type IamClientOptions = ClientOptions;
/** Of a server instance's type (`BetterIam`) the client is that of its whole API. */
export type IamClient<T = FullApi> = T extends { api: unknown } ? FullApi : T;

const IDENTIFIER = /^[A-Za-z][A-Za-z0-9]{0,63}$/;
/** Names that the language asks of any object: a proxy that answered them would look like a promise, or be written to like a class. */
const NEVER_ROUTES = new Set(['then', 'catch', 'finally', 'constructor', 'prototype', 'toJSON', 'valueOf', 'toString', 'inspect']);
const TOKEN = /^[A-Za-z0-9._~+/=-]{1,4096}$/;

const isRoute = (name: string | symbol): name is string => typeof name === 'string' && IDENTIFIER.test(name) && !NEVER_ROUTES.has(name);

/**
 * The client of IAM (iam.md §8.4): `client.{group}.{method}(input, { signal?, headers? })`; a method without input takes the options alone. An
 * `authorization` header given with a call beats `token`. The type parameter is the API on the other side: its own, or a `BetterIam` instance type.
 * A method this version does not know goes to `{basePath}/{group}/{method}` all the same, so a newer server can be called.
 */
export function createIamClient<T = FullApi>(options: IamClientOptions): IamClient<T> {
  if (options.token !== undefined && !TOKEN.test(options.token)) throw new ClientError('INVALID_TOKEN', 0, 'the token has characters that no token has');
  const base = createClient(iamService, options);
  const known = base as unknown as Record<string, unknown>;
  const groups = new Map<string, unknown>();
  return new Proxy(Object.freeze(Object.create(null) as object), {
    get(_target, name) {
      if (typeof name === 'symbol') return undefined;
      if (typeof known[name] === 'function' || name.startsWith('$')) return known[name];
      if (!isRoute(name)) return undefined;
      if (!groups.has(name)) groups.set(name, groupOf(base, name, known[name] as Record<string, unknown> | undefined));
      return groups.get(name);
    },
    has: (_target, name) => typeof name === 'string' && known[name] !== undefined,
  }) as IamClient<T>;
}

function groupOf(base: FullApi, group: string, known: Record<string, unknown> | undefined): unknown {
  return new Proxy(Object.freeze(Object.create(null) as object), {
    get(_target, name) {
      if (!isRoute(name)) return undefined;
      return known?.[name] ?? ((input: unknown = {}, options: CallOptions = {}) => base.$request(`${group}/${name}`, input, options));
    },
    has: (_target, name) => typeof name === 'string' && known?.[name] !== undefined,
  });
}
