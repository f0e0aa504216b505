import type { CallerIdentity } from '@better-iam/client';
import { useState } from 'react';
import type { ConsoleIam } from '../iam.ts';
import { Help } from '../keyboard/help.tsx';
import { useShortcuts } from '../keyboard/use-shortcuts.ts';
import { Announcer } from '../shell/announcer.tsx';
import { usePlace } from '../shell/place.ts';
import { TopBar } from '../shell/top-bar.tsx';
import { useNow } from '../time/use-now.ts';
import type { CardProps } from './card.tsx';
import { Desk } from './desk.tsx';
import { History } from './history.tsx';
import { type Entry, groupsOf, pastOf, pendingOf } from './inbox.ts';
import { OneCard } from './one-card.tsx';
import { standingOf } from './standing.ts';
import { useApprovals } from './use-approvals.ts';
import { useDecisions } from './use-decisions.ts';
import { useNews } from './use-news.ts';

interface ApprovalsPageProps {
  iam: ConsoleIam;
  me: CallerIdentity;
  onSignOut: () => Promise<void>;
  onEnded: () => void;
}

/** `/` and `/approvals`: what waits and what was; `/approvals/{cnf}`: one card. */
export function ApprovalsPage({ iam, me, onSignOut, onEnded }: ApprovalsPageProps) {
  const now = useNow(iam.clock);
  const approvals = useApprovals(iam, onEnded);
  const { inbox, tell } = approvals;
  const decisions = useDecisions(iam, tell, onEnded);
  const { place, open } = usePlace();
  const [step, setStep] = useState<{ id: string; approve: boolean }>();
  const pendingCount = pendingOf(inbox, now).length;
  const news = useNews({ inbox, now, isLoaded: approvals.isLoaded, pendingCount });
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
      meId: me.identityId,
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

  return (
    <>
      <a className="skip" href="#main">
        Skip to the requests
      </a>
      <TopBar me={me} link={approvals.link} onOpen={open} onHelp={shortcuts.openHelp} onSignOut={onSignOut} />
      <main id="main" tabIndex={-1}>
        <h1>Approvals</h1>
        {place.confirmationId === undefined ? (
          <>
            <Desk
              groups={groupsOf(inbox, now)}
              pendingCount={pendingCount}
              isLoaded={approvals.isLoaded}
              cardOf={cardOf}
              onPutAside={(id) => tell({ type: 'put-aside', id })}
            />
            <History
              past={pastOf(inbox, now)}
              now={now}
              isLoaded={approvals.isLoaded}
              hasEarlier={approvals.hasEarlier}
              onEarlier={approvals.readEarlier}
              onOpen={open}
            />
          </>
        ) : (
          <OneCard key={place.confirmationId} iam={iam} confirmationId={place.confirmationId} inbox={inbox} tell={tell} cardOf={cardOf} onOpen={open} />
        )}
      </main>
      <Announcer text={news} />
      <Help ref={shortcuts.help} isOn={shortcuts.isOn} onToggle={shortcuts.toggle} />
    </>
  );
}
