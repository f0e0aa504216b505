import type { Confirmation } from '@better-iam/client';
import { type Standing, standingOf, standingSince } from './standing.ts';

/** What the page knows of one confirmation. */
export interface Entry {
  confirmation: Confirmation;
  /** Lies before the person: it was pending while this page was open, and they have not put it aside. */
  isOnDesk: boolean;
  /** Decided with this page's own buttons. */
  isDecidedHere: boolean;
  /** What is asked became something else while it lay there: to be read again before deciding. */
  hasChanged: boolean;
}

export type Inbox = ReadonlyMap<string, Entry>;

export type InboxEvent =
  | { type: 'seen'; confirmations: readonly Confirmation[]; now: number }
  | { type: 'decided'; confirmation: Confirmation }
  | { type: 'read-again'; id: string }
  | { type: 'put-aside'; id: string };

const ORDER = { pending: 0, approved: 1, rejected: 1, used: 2 } as const;

/** Everything that makes up what a person says yes to. */
const askedOf = (c: Confirmation): string => JSON.stringify([c.digest, c.action, c.resource.type, c.resource.id, c.summary, c.facts ?? [], c.agent.id]);

function merged(known: Entry | undefined, c: Confirmation, now: number): Entry {
  const isOnDesk = standingOf(c, now) === 'pending';
  if (!known) return { confirmation: c, isOnDesk, isDecidedHere: false, hasChanged: false };
  // a list asked for earlier may arrive after an event: a confirmation never goes back
  if (ORDER[c.status] < ORDER[known.confirmation.status]) return known;
  const isPending = known.confirmation.status === 'pending' && c.status === 'pending';
  return {
    ...known,
    confirmation: c,
    isOnDesk: known.isOnDesk || isOnDesk,
    hasChanged: isPending && (known.hasChanged || askedOf(known.confirmation) !== askedOf(c)),
  };
}

export function inboxAfter(inbox: Inbox, event: InboxEvent): Inbox {
  const next = new Map(inbox);
  const patch = (id: string, change: Partial<Entry>): void => {
    const entry = next.get(id);
    if (entry) next.set(id, { ...entry, ...change });
  };
  switch (event.type) {
    case 'seen':
      for (const c of event.confirmations) next.set(c.id, merged(inbox.get(c.id), c, event.now));
      break;
    case 'decided':
      next.set(event.confirmation.id, { ...merged(inbox.get(event.confirmation.id), event.confirmation, event.confirmation.createdAt), isDecidedHere: true });
      break;
    case 'read-again':
      patch(event.id, { hasChanged: false });
      break;
    case 'put-aside':
      patch(event.id, { isOnDesk: false });
      break;
  }
  return next;
}

export interface Group {
  key: string;
  entries: Entry[];
  pendingCount: number;
}

/** Requests that differ by their id alone stand together (iam.md §17.8, 6); the one that lapses first is on top, so a new one never pushes others down. */
export function groupsOf(inbox: Inbox, now: number): Group[] {
  const groups = new Map<string, Group>();
  const desk = [...inbox.values()].filter((entry) => entry.isOnDesk).sort((a, b) => a.confirmation.createdAt - b.confirmation.createdAt);
  for (const entry of desk) {
    const c = entry.confirmation;
    const key = c.likeness === undefined ? c.id : `${c.delegationId} ${c.action} ${c.likeness}`;
    const group = groups.get(key) ?? { key, entries: [], pendingCount: 0 };
    group.entries.push(entry);
    if (standingOf(c, now) === 'pending') group.pendingCount++;
    groups.set(key, group);
  }
  return [...groups.values()];
}

export const pendingOf = (inbox: Inbox, now: number): Entry[] => [...inbox.values()].filter((entry) => standingOf(entry.confirmation, now) === 'pending');

export interface Past {
  confirmation: Confirmation;
  standing: Standing;
  since: number;
}

/** Decided, lapsed and used ones, what happened last on top. */
export function pastOf(inbox: Inbox, now: number): Past[] {
  return [...inbox.values()]
    .map(({ confirmation }) => {
      const standing = standingOf(confirmation, now);
      return { confirmation, standing, since: standingSince(confirmation, standing) };
    })
    .filter((past) => past.standing !== 'pending')
    .sort((a, b) => b.since - a.since);
}
