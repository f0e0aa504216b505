import { useCallback, useRef, useState } from 'react';
import type { ConsoleIam } from '../iam.ts';
import { codeOf, decisionFailure, type Failure, offlineFailure } from './failure.ts';
import type { InboxEvent } from './inbox.ts';

export interface Decisions {
  /** Ids on their way to the server, with what was decided. */
  underWay: ReadonlyMap<string, boolean>;
  failures: ReadonlyMap<string, Failure>;
  /** Resolves when the answer is there, whatever it is. */
  decide: (id: string, approve: boolean) => Promise<void>;
}

/** Sends decisions, one at a time for each request. */
export function useDecisions({ api, clock }: ConsoleIam, tell: (event: InboxEvent) => void, onEnded: () => void): Decisions {
  // a ref besides the state: two clicks may come before the first is rendered
  const sent = useRef(new Map<string, boolean>());
  const [underWay, setUnderWay] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [failures, setFailures] = useState<ReadonlyMap<string, Failure>>(new Map());

  const decide = useCallback(
    async (id: string, approve: boolean) => {
      if (sent.current.has(id)) return;
      const fail = (failure?: Failure) =>
        setFailures((known) => {
          const next = new Map(known);
          if (failure) next.set(id, failure);
          else next.delete(id);
          return next;
        });
      fail();
      if (!navigator.onLine) return fail(offlineFailure);
      sent.current.set(id, approve);
      setUnderWay(new Map(sent.current));
      try {
        tell({ type: 'decided', confirmation: await api.delegations.decideConfirmation({ confirmationId: id, approve }) });
      } catch (error) {
        if (codeOf(error) === 'UNAUTHENTICATED') return onEnded();
        fail(decisionFailure(error));
        // how it stands now; when that cannot be read the stream will tell
        if (codeOf(error) === 'INVALID_TRANSITION')
          await api.delegations.getConfirmation({ confirmationId: id }).then(
            (confirmation) => tell({ type: 'seen', confirmations: [confirmation], now: clock.now() }),
            () => undefined,
          );
      } finally {
        sent.current.delete(id);
        setUnderWay(new Map(sent.current));
      }
    },
    [api, clock, tell, onEnded],
  );

  return { underWay, failures, decide };
}
