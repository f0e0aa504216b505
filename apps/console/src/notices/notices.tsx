import type { CallerIdentity, Notice } from '@better-iam/client';
import { useEffect, useState } from 'react';
import type { ConsoleIam } from '../iam.ts';
import { noticeText } from './notice-text.ts';

/** Ways back in of the last seven days, above everything: they cannot be hidden, and this page hides none (iam.md §3.5). */
export function Notices({ iam, me }: { iam: ConsoleIam; me: CallerIdentity }) {
  const [notices, setNotices] = useState<Notice[]>([]);
  useEffect(() => {
    // a page that cannot read them is told why by whatever else it cannot do
    iam.api.auth.notices().then(
      ({ items }) => setNotices(items),
      () => {},
    );
  }, [iam]);
  if (notices.length === 0) return null;
  const now = iam.clock.now();
  return (
    <aside className="notices" aria-label="Ways back in">
      {notices.map((notice) => (
        <p key={notice.id} className="notice notice-bad">
          {noticeText(notice, { meId: me.identityId, now })}
        </p>
      ))}
    </aside>
  );
}
