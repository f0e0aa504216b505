import { type MouseEvent, useCallback, useEffect, useState } from 'react';

/** Where the person is: the whole inbox, or one card. */
export interface Place {
  confirmationId?: string;
}

export const inboxPath = '/approvals';
/** Where a person types the code of a terminal; a page of its own. */
export const devicePath = '/device';
export const cardPath = (confirmationId: string): string => `${inboxPath}/${encodeURIComponent(confirmationId)}`;

export function placeOf(path: string): Place {
  const match = /^\/approvals\/([^/]+)\/?$/.exec(path);
  if (match?.[1] === undefined) return {};
  try {
    return { confirmationId: decodeURIComponent(match[1]) };
  } catch {
    return { confirmationId: match[1] };
  }
}

/** Follows the address bar; `open` goes to a path of this page without loading it anew. */
export function usePlace(): { place: Place; open: (path: string) => void } {
  const [path, setPath] = useState(() => location.pathname);
  useEffect(() => {
    const moved = () => setPath(location.pathname);
    addEventListener('popstate', moved);
    return () => removeEventListener('popstate', moved);
  }, []);
  const open = useCallback((to: string) => {
    history.pushState(null, '', to);
    setPath(to);
    scrollTo(0, 0);
  }, []);
  return { place: placeOf(path), open };
}

/** A plain click stays in the page; one that asks for a new tab or window is the browser's. */
export const followedBy = (open: (path: string) => void) => (event: MouseEvent<HTMLAnchorElement>) => {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  open(event.currentTarget.pathname);
};
