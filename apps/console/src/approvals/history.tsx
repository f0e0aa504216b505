import { useState } from 'react';
import { cardPath, followedBy } from '../shell/place.ts';
import { timeOfDay } from '../time/duration.ts';
import { troubleText } from './failure.ts';
import { inertText } from './inert-text.ts';
import type { Past } from './inbox.ts';
import { standingLabels } from './standing.ts';

interface HistoryProps {
  past: Past[];
  now: number;
  isLoaded: boolean;
  hasEarlier: boolean;
  onEarlier: () => Promise<void>;
  onOpen: (path: string) => void;
}

/** Decided, lapsed and used ones, what happened last on top. */
export function History({ past, now, isLoaded, hasEarlier, onEarlier, onOpen }: HistoryProps) {
  const [trouble, setTrouble] = useState<string>();
  const more = () => {
    setTrouble(undefined);
    onEarlier().catch((error: unknown) => setTrouble(troubleText(error)));
  };
  return (
    <section aria-labelledby="history-title" className="history">
      <h2 id="history-title">History</h2>
      {isLoaded && past.length === 0 ? <p className="quiet">What you approve or reject, and what lapses undecided, is kept here.</p> : null}
      <ol>
        {past.map(({ confirmation: c, standing, since }) => (
          <li key={c.id}>
            <a href={cardPath(c.id)} onClick={followedBy(onOpen)}>
              {inertText(c.summary)}
            </a>
            <span className={`badge badge-${standing}`}>{standingLabels[standing]}</span>
            <span className="quiet">
              {inertText(c.agent.name)} · <time dateTime={new Date(since).toISOString()}>{timeOfDay(since, now)}</time>
            </span>
          </li>
        ))}
      </ol>
      {trouble ? (
        <p role="alert" className="notice notice-bad">
          {trouble}
        </p>
      ) : null}
      {hasEarlier ? (
        <button type="button" className="button" onClick={more}>
          Show earlier ones
        </button>
      ) : null}
    </section>
  );
}
