import { useEffect, useRef, useState } from 'react';
import type { Inbox } from './inbox.ts';
import { inertText } from './inert-text.ts';
import { standingLabels, standingOf } from './standing.ts';

/** Keeps the window's title, and puts into one polite sentence what happened since the last look: for people who do not see cards appear. */
export function useNews({ inbox, now, isLoaded, pendingCount }: { inbox: Inbox; now: number; isLoaded: boolean; pendingCount: number }): string {
  const [news, setNews] = useState('');
  const known = useRef<Map<string, string>>(undefined);

  useEffect(() => {
    document.title = `${pendingCount > 0 ? `(${pendingCount}) ` : ''}Approvals · Better Compute`;
  }, [pendingCount]);

  useEffect(() => {
    if (!isLoaded) return;
    const standings = new Map([...inbox].map(([id, entry]) => [id, standingOf(entry.confirmation, now)]));
    const before = known.current;
    known.current = standings;
    if (!before)
      return setNews(pendingCount === 0 ? 'Nothing waits for you.' : `${pendingCount} ${pendingCount === 1 ? 'request waits' : 'requests wait'} for you.`);
    const lines: string[] = [];
    for (const [id, standing] of standings) {
      const entry = inbox.get(id);
      if (!entry || before.get(id) === standing) continue;
      const { agent, summary } = entry.confirmation;
      if (standing === 'pending') lines.push(`New request of ${inertText(agent.name)}: ${inertText(summary)}`);
      // what was decided here is told by the focus that moves to it
      else if (before.has(id) && !(entry.isDecidedHere && before.get(id) === 'pending')) lines.push(`${standingLabels[standing]}: ${inertText(summary)}`);
    }
    if (lines.length > 0) setNews(lines.length > 3 ? `${lines.length} requests are new or have changed.` : lines.join('\n'));
  }, [inbox, now, isLoaded, pendingCount]);

  return news;
}
