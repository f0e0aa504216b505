import { createIamClient, type FullApi } from '@better-iam/client';
import { createServerClock, type ServerClock } from './time/server-clock.ts';

export interface ConsoleIam {
  api: FullApi;
  clock: ServerClock;
}

/**
 * IAM of the server this page came from. The session is a cookie that no script can read: the client is given no token, and none is ever kept
 * (iam.md §6).
 */
export function createConsoleIam(): ConsoleIam {
  const clock = createServerClock(Date.now);
  const api = createIamClient({
    baseURL: location.origin,
    fetch: async (request) => {
      const response = await fetch(request);
      clock.heard(response.headers.get('date'));
      return response;
    },
  });
  return { api, clock };
}
