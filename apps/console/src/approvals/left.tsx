import type { Confirmation } from '@better-iam/client';
import { timeOfDay } from '../time/duration.ts';
import { inertText } from './inert-text.ts';
import { draftOf, type LeftNow, roomText } from './left-now.ts';
import type { Standing } from './standing.ts';
import { useLeft } from './use-left.ts';

/** What is left of budgets and capacity, live and marked so: never part of what is approved (iam.md §17.8, 3). */
export function Left({ confirmation, standing, now }: { confirmation: Confirmation; standing: Standing; now: number }) {
  const draftId = draftOf(confirmation, standing);
  const left = useLeft(draftId);
  if (draftId === undefined || left === null) return null;
  return (
    <dl className="card-terms card-left">
      <div>
        <dt>Left now</dt>
        {/* the place is kept while it is read, so that the buttons below do not move under a hand */}
        <dd aria-busy={left === 'reading'}>
          {left === 'reading' ? (
            <span className="quiet">Reading what is left…</span>
          ) : left === 'unread' ? (
            <span className="quiet">It cannot be read at the moment.</span>
          ) : (
            <Figures left={left} now={now} />
          )}
        </dd>
      </div>
    </dl>
  );
}

function Figures({ left, now }: { left: LeftNow; now: number }) {
  return (
    <>
      {left.budgets.map(({ budgetId, text }) => (
        <p key={budgetId}>{inertText(text)}</p>
      ))}
      {left.fitsNow === null ? null : <p>{roomText(left.fitsNow)}</p>}
      <span className="quiet">Read at {timeOfDay(left.at, now)}; not part of what you approve.</span>
    </>
  );
}
