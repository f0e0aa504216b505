import { type CallContext, createHandler } from '@kit/http';
import { service } from '@kit/operation';
import { type IamOperationId, iamService } from '@better-iam/contract';
import { sessionCookie } from './auth/cookie.ts';
import type { Transport } from './call.ts';
import type { Handlers } from './handlers.ts';
import { invoke } from './invoke.ts';
import type { BetterIamOptions } from './options.ts';
import type { Plane } from './plane.ts';

/** IAM over HTTP (iam.md §6). */
export function createIamHandler(plane: Plane, handlers: Handlers, o: BetterIamOptions): (request: Request) => Promise<Response> {
  const clientInfo = o.http?.clientInfo;
  return createHandler({
    service: o.basePath === undefined ? iamService : service({ ...iamService, basePath: o.basePath }),
    title: 'Better IAM',
    version: '0.1.0',
    trustedOrigins: o.trustedOrigins ?? [new URL(o.baseURL).origin],
    isSecure: plane.isSecure,
    clock: plane.now,
    ...(o.rate ? { rate: o.rate } : {}),
    ...(clientInfo ? { clientInfo } : {}),
    ...(o.access ? { access: o.access } : {}),
    ...(o.fault ? { fault: o.fault } : {}),
    invoke: async (op, input, call) => await invoke(plane, op, handlers[op.id as IamOperationId], call.token, input, transportOf(plane, call)),
  });
}

function transportOf(plane: Plane, call: CallContext): Transport {
  return {
    requestId: call.requestId,
    clientIp: call.clientIp,
    userAgent: call.userAgent,
    signal: call.signal,
    setSession: (session) => {
      if (call.isBrowser) call.answerHeaders.append('set-cookie', sessionCookie(session, { isSecure: plane.isSecure, now: plane.now() }));
    },
    identified: (who) => Object.assign(call.access, who),
  };
}
