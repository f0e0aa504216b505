import type { CallerIdentity } from '@better-iam/client';
import type { ConsoleIam } from '../iam.ts';
import { Help } from '../keyboard/help.tsx';
import { Announcer } from '../shell/announcer.tsx';
import { usePlace } from '../shell/place.ts';
import { TopBar } from '../shell/top-bar.tsx';
import { useNow } from '../time/use-now.ts';
import { Desk } from './desk.tsx';
import { History } from './history.tsx';
import { groupsOf, pastOf, pendingOf } from './inbox.ts';
import { OneCard } from './one-card.tsx';
import { useApprovals } from './use-approvals.ts';
import { useCards } from './use-cards.ts';
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
  const { inbox, tell, isLoaded, link, hasEarlier, readEarlier } = useApprovals(iam, onEnded);
  const { cardOf, shortcuts } = useCards({ iam, inbox, tell, now, meId: me.identityId, onEnded });
  const { place, open } = usePlace();
  const pendingCount = pendingOf(inbox, now).length;
  const news = useNews({ inbox, now, isLoaded, pendingCount });

  return (
    <>
      <a className="skip" href="#main">
        Skip to the requests
      </a>
      <TopBar me={me} link={link} onOpen={open} onHelp={shortcuts.openHelp} onSignOut={onSignOut} />
      <main id="main" tabIndex={-1}>
        <h1>Approvals</h1>
        {place.confirmationId === undefined ? (
          <>
            <Desk
              groups={groupsOf(inbox, now)}
              pendingCount={pendingCount}
              isLoaded={isLoaded}
              cardOf={cardOf}
              onPutAside={(id) => tell({ type: 'put-aside', id })}
            />
            <History past={pastOf(inbox, now)} now={now} isLoaded={isLoaded} hasEarlier={hasEarlier} onEarlier={readEarlier} onOpen={open} />
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
