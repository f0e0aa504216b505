import { useState } from 'react';
import type { ConsoleIam } from '../iam.ts';
import { type Shortcuts, useShortcuts } from '../keyboard/use-shortcuts.ts';
import type { CardProps } from './card.tsx';
import type { Entry, Inbox, InboxEvent } from './inbox.ts';
import { standingOf } from './standing.ts';
import { useDecisions } from './use-decisions.ts';

export interface Cards {
  /** Everything a card needs but its heading's level. */
  cardOf: (entry: Entry) => Omit<CardProps, 'level'>;
  shortcuts: Shortcuts;
}

interface CardsOptions {
  iam: ConsoleIam;
  inbox: Inbox;
  tell: (event: InboxEvent) => void;
  now: number;
  meId: string;
  onEnded: () => void;
}

/** Ties cards to decisions: by their buttons at once, by a key through a second step. */
export function useCards({ iam, inbox, tell, now, meId, onEnded }: CardsOptions): Cards {
  const decisions = useDecisions(iam, tell, onEnded);
  const [step, setStep] = useState<{ id: string; approve: boolean }>();
  const shortcuts = useShortcuts((id, approve) => {
    const entry = inbox.get(id);
    if (entry && standingOf(entry.confirmation, iam.clock.now()) === 'pending') setStep({ id, approve });
  });

  const settle = (id: string) => {
    setStep(undefined);
    // a second step or a pair of buttons that is gone took the focus with it
    requestAnimationFrame(() => document.activeElement === document.body && shortcuts.focusCard(id));
  };

  const cardOf = (entry: Entry): Omit<CardProps, 'level'> => {
    const { id } = entry.confirmation;
    return {
      entry,
      now,
      meId,
      underWay: decisions.underWay.get(id),
      failure: decisions.failures.get(id),
      step: step?.id === id ? step.approve : undefined,
      onDecide: (approve) => void decisions.decide(id, approve).finally(() => settle(id)),
      onCancel: () => {
        setStep(undefined);
        shortcuts.focusCard(id);
      },
      onReadAgain: () => tell({ type: 'read-again', id }),
    };
  };

  return { cardOf, shortcuts };
}
