import {
  ApiError,
  direct,
  type DirectCall,
  type Handler,
  openApiOf,
  readAuthorization,
  readSessionCookie,
  refusalOf,
  routesOf,
  type Operation,
  type Service,
} from '@kit/operation';
import { type Answer, answerStream, dataAnswer, errorAnswer, responseOf } from './answer.ts';
import { Admitted } from './admitted.ts';
import { type Arrival, arrivalOf, directArrivalOf } from './arrival.ts';
import { checkBoundary } from './boundary.ts';
import type { AccessLine, CallContext } from './context.ts';
import type { RateLimiter } from './rate.ts';
import { pathnameOf } from './url.ts';

export interface HandlerOptions {
  service: Service;
  title: string;
  version: string;
  invoke(op: Operation, input: Record<string, unknown>, call: CallContext): Promise<unknown>;
  trustedOrigins?: readonly string[];
  /** The deployment is reached over https: only its `__Host-` cookie counts. */
  isSecure?: boolean;
  rate?: RateLimiter;
  clock?: () => number;
  /** Address of the caller as far as the deployment vouches for it; default: none. */
  clientInfo?(request: Request): { ip?: string; userAgent?: string };
  access?(line: AccessLine): void;
  /** Faults of ours: never refusals. */
  fault?(error: unknown, requestId: string): void;
}

type Outcome = Answer | Response;

/** The first hop of every request (architecture.md §5): route, credential, rate, size, JSON; then the service's `invoke`. */
export function createHandler(o: HandlerOptions): Handler {
  const routes = routesOf(o.service);
  const openApi = JSON.stringify(openApiOf(o.service, { title: o.title, version: o.version }));
  const openApiPath = `${o.service.basePath}/openapi.json`;
  const clock = o.clock ?? Date.now;
  const admit = admission(o, clock);

  async function run(arrival: Arrival, op: Operation, call: CallContext): Promise<Outcome> {
    const input = await arrival.input(op.bodyBytesMax ?? o.service.bodyBytesMax);
    const result = await o.invoke(op, input, call);
    return op.events ? answerStream(result as AsyncIterable<unknown>, call.requestId) : dataAnswer(result, call.requestId);
  }

  /** `call` is set once the caller was let in. */
  async function outcomeOf(arrival: Arrival): Promise<{ outcome: Outcome; call?: Admitted }> {
    const started = performance.now();
    const { requestId } = arrival;
    const op = routes.get(arrival.path);
    const access: CallContext['access'] = {};
    let call: Admitted | undefined;
    let token: string | undefined;
    let outcome: Outcome;
    let code: string | undefined;
    try {
      if (!op) throw new ApiError('NOT_FOUND', 404, 'there is no such method');
      if (arrival.method !== 'POST') throw new ApiError('METHOD_NOT_ALLOWED', 405, 'use POST');
      call = admit(op, arrival, access);
      ({ token } = call);
      outcome = await run(arrival, op, call);
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal || refusal.status >= 500) o.fault?.(error, requestId);
      code = refusal?.code ?? 'INTERNAL_ERROR';
      outcome = errorAnswer(error, requestId);
      call = undefined;
    }
    // whatever came of it, the service knew who it was
    if (token !== undefined && access.principalId !== undefined && !op?.isPublic) o.rate?.proved(token, clock());
    const durationMs = performance.now() - started;
    o.access?.({ requestId, operation: op?.id ?? 'unknown', status: outcome.status, ...(code ? { code } : {}), durationMs, ...access });
    return { outcome, ...(call ? { call } : {}) };
  }

  const handler = async (request: Request): Promise<Response> => {
    if ((request.method === 'GET' || request.method === 'HEAD') && pathnameOf(request.url) === openApiPath)
      return new Response(openApi, { headers: { 'content-type': 'application/json', 'access-control-allow-origin': '*' } });
    const { outcome, call } = await outcomeOf(arrivalOf(request));
    return outcome instanceof Response ? outcome : responseOf(outcome, call?.answerHeadersIfAny);
  };
  return Object.assign(handler, { [direct]: (call: DirectCall) => answeredDirectly(call, outcomeOf) });
}

async function answeredDirectly(call: DirectCall, outcomeOf: (arrival: Arrival) => Promise<{ outcome: Outcome }>): Promise<Answer> {
  const { outcome } = await outcomeOf(directArrivalOf(call));
  if (outcome instanceof Response) throw new TypeError('a stream of events is asked for by a Request');
  return outcome;
}

function admission(o: HandlerOptions, clock: () => number): (op: Operation, arrival: Arrival, access: CallContext['access']) => Admitted {
  const trustedOrigins = new Set(o.trustedOrigins ?? []);
  return (op, arrival, access) => {
    const { headers } = arrival;
    const bearer = readAuthorization(headers);
    // a second place is never tried once one carried a credential (iam.md §3.2 rule 5)
    const presented = bearer.kind === 'none' ? readSessionCookie(headers, { isSecure: o.isSecure === true }) : bearer;
    checkBoundary(headers, { hasBearer: bearer.kind !== 'none', hasCookie: bearer.kind === 'none' && presented.kind !== 'none', trustedOrigins });
    if (presented.kind === 'malformed') throw new ApiError('UNAUTHENTICATED', 401, 'the credential is malformed');
    // a call of this process comes from no address
    const info = (arrival.request && o.clientInfo?.(arrival.request)) ?? {};
    const token = presented.kind === 'token' ? presented.token : undefined;
    // what needs no credential is counted for the address, whatever token comes with it
    o.rate?.check({ token: op.isPublic ? undefined : token, address: arrival.request && (info.ip ?? 'anonymous') }, clock());
    return new Admitted(arrival, access, {
      token,
      isCookie: bearer.kind === 'none' && token !== undefined,
      isBrowser: headers.get('origin') !== null,
      clientIp: info.ip,
      userAgent: info.userAgent ?? headers.get('user-agent') ?? undefined,
    });
  };
}
