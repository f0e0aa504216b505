import type { CallerIdentity } from '@better-iam/client';
import { useState } from 'react';
import { troubleText } from '../approvals/failure.ts';
import { inertText } from '../approvals/inert-text.ts';
import type { Link } from '../approvals/watch.ts';
import { followedBy, inboxPath } from './place.ts';
import markUrl from './mark.svg';

interface TopBarProps {
  me: CallerIdentity;
  link: Link;
  onOpen: (path: string) => void;
  onHelp: () => void;
  onSignOut: () => Promise<void>;
}

const linkTexts: Record<Link, string> = { connecting: 'Connecting', live: 'Live', reconnecting: 'Reconnecting', ended: 'Signed out' };

export function TopBar({ me, link, onOpen, onHelp, onSignOut }: TopBarProps) {
  const [trouble, setTrouble] = useState<string>();
  const signOut = () => {
    setTrouble(undefined);
    onSignOut().catch((error: unknown) => setTrouble(`You are still signed in. ${troubleText(error)}`));
  };
  return (
    <header className="top">
      <div className="top-row">
        <a className="brand" href={inboxPath} onClick={followedBy(onOpen)}>
          <img src={markUrl} alt="" width="22" height="22" />
          Better Compute
        </a>
        <p className={`link link-${link}`} role="status">
          <span className="link-dot" aria-hidden="true" />
          {linkTexts[link]}
        </p>
        <p className="who">
          <span className="unseen">Signed in as </span>
          {inertText(me.name ?? me.identityId)}
        </p>
        <button type="button" className="button button-small" aria-label="Keyboard shortcuts" aria-keyshortcuts="?" onClick={onHelp}>
          ?
        </button>
        <button type="button" className="button button-small" onClick={signOut}>
          Sign out
        </button>
      </div>
      {trouble ? (
        <p role="alert" className="notice notice-bad">
          {trouble}
        </p>
      ) : null}
    </header>
  );
}
