import { Card, type CardProps } from './card.tsx';
import type { Entry, Group } from './inbox.ts';

interface DeskProps {
  groups: Group[];
  pendingCount: number;
  isLoaded: boolean;
  cardOf: (entry: Entry) => Omit<CardProps, 'level'>;
  onPutAside: (id: string) => void;
}

/** What lies before the person: what waits, and what was decided or lapsed while they looked on. */
export function Desk({ groups, pendingCount, isLoaded, cardOf, onPutAside }: DeskProps) {
  const show = (entry: Entry, level: 3 | 4) => (
    <Card key={entry.confirmation.id} level={level} {...cardOf(entry)} onPutAside={() => putAside(entry.confirmation.id, onPutAside)} />
  );
  return (
    <section aria-labelledby="desk-title" className="desk">
      <h2 id="desk-title" tabIndex={-1}>
        Waiting for you {pendingCount > 0 ? <span className="count">{pendingCount}</span> : null}
      </h2>
      {!isLoaded ? (
        <p className="quiet" aria-busy="true">
          Reading your requests…
        </p>
      ) : groups.length === 0 ? (
        <div className="empty">
          <p>
            <strong>Nothing waits for you.</strong>
          </p>
          <p>
            When an agent wants to do something you have held back, such as reserving GPUs, its request appears here by itself. You have 30 minutes to decide;
            until you approve, nothing happens.
          </p>
        </div>
      ) : (
        groups.map((group) => {
          const isAlike = group.entries.length > 1;
          const titleId = `alike-${group.entries[0]?.confirmation.id}`;
          // one form for one and for many: a card that gets company keeps its focus
          return (
            <section key={group.key} className={isAlike ? 'group alike' : 'group'} aria-labelledby={isAlike ? titleId : undefined}>
              {isAlike ? (
                <header key="alike">
                  <h3 id={titleId}>{alikeText(group.pendingCount)}</h3>
                  <p className="quiet">They ask for the same thing. Each approval admits one of them.</p>
                </header>
              ) : null}
              {group.entries.map((entry) => show(entry, isAlike ? 4 : 3))}
            </section>
          );
        })
      )}
    </section>
  );
}

const alikeText = (pendingCount: number): string => (pendingCount === 1 ? '1 waiting, of several alike' : `${pendingCount} alike waiting`);

/** The focus goes where the reading goes on: the next card, or the heading when it was the last. */
function putAside(id: string, onPutAside: (id: string) => void): void {
  const cards = [...document.querySelectorAll<HTMLElement>('[data-confirmation]')];
  const at = cards.findIndex((card) => card.dataset.confirmation === id);
  (cards[at + 1] ?? cards[at - 1] ?? document.getElementById('desk-title'))?.focus();
  onPutAside(id);
}
