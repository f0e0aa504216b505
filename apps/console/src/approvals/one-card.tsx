import { useEffect, useRef, useState } from 'react';
import type { ConsoleIam } from '../iam.ts';
import { followedBy, inboxPath } from '../shell/place.ts';
import { Card, cardId, type CardProps } from './card.tsx';
import { codeOf, troubleText } from './failure.ts';
import type { Entry, Inbox, InboxEvent } from './inbox.ts';

interface OneCardProps {
  iam: ConsoleIam;
  confirmationId: string;
  inbox: Inbox;
  tell: (event: InboxEvent) => void;
  cardOf: (entry: Entry) => Omit<CardProps, 'level'>;
  onOpen: (path: string) => void;
}

/** The card an agent's link leads to. It is read by its id: the lists may not reach back so far. */
export function OneCard({ iam, confirmationId, inbox, tell, cardOf, onOpen }: OneCardProps) {
  const [trouble, setTrouble] = useState<string>();
  const entry = inbox.get(confirmationId);
  const isThere = entry !== undefined;

  useEffect(() => {
    const gone = new AbortController();
    iam.api.delegations.getConfirmation({ confirmationId }, { signal: gone.signal }).then(
      (confirmation) => tell({ type: 'seen', confirmations: [confirmation], now: iam.clock.now() }),
      (error: unknown) => {
        if (gone.signal.aborted) return;
        const isUnknown = codeOf(error) === 'NOT_FOUND' || codeOf(error) === 'ACCESS_DENIED';
        setTrouble(
          isUnknown ? 'No such request is put to you. It may be for another person: check the link, and who you are signed in as.' : troubleText(error),
        );
      },
    );
    return () => gone.abort();
  }, [iam, confirmationId, tell]);

  const hasFocused = useRef(false);
  useEffect(() => {
    if (!isThere || hasFocused.current) return;
    hasFocused.current = true;
    document.getElementById(cardId(confirmationId))?.focus();
  }, [isThere, confirmationId]);

  return (
    <section aria-labelledby="one-title" className="desk">
      <nav aria-label="Back">
        <a href={inboxPath} onClick={followedBy(onOpen)}>
          <span aria-hidden="true">← </span>All requests
        </a>
      </nav>
      <h2 id="one-title" className="unseen">
        One request
      </h2>
      {entry ? <Card level={3} {...cardOf(entry)} /> : null}
      {!entry && trouble ? (
        <p role="alert" className="notice notice-bad">
          {trouble}
        </p>
      ) : null}
      {!entry && !trouble ? (
        <p className="quiet" aria-busy="true">
          Reading the request…
        </p>
      ) : null}
    </section>
  );
}
