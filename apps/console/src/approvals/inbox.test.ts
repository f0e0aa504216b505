import { describe, expect, test } from 'vitest';
import { confirmation, noon } from '../test-support/confirmation.ts';
import { groupsOf, type Inbox, type InboxEvent, inboxAfter, pastOf, pendingOf } from './inbox.ts';

const after = (...events: InboxEvent[]): Inbox => events.reduce(inboxAfter, new Map() as Inbox);
const seen = (...confirmations: ReturnType<typeof confirmation>[]): InboxEvent => ({ type: 'seen', confirmations, now: noon });

describe('iam§17.8 the inbox', () => {
  test('iam§17.8 requests of one likeness stand together with their count, others apart, the earliest on top', () => {
    const inbox = after(
      seen(
        confirmation({ id: 'cnf_3', likeness: 'same', createdAt: noon + 3 }),
        confirmation({ id: 'cnf_2', likeness: 'other', createdAt: noon + 2 }),
        confirmation({ id: 'cnf_1', likeness: 'same', createdAt: noon + 1 }),
      ),
    );
    const groups = groupsOf(inbox, noon);
    expect(groups.map((group) => [group.pendingCount, group.entries.map((entry) => entry.confirmation.id)])).toEqual([
      [2, ['cnf_1', 'cnf_3']],
      [1, ['cnf_2']],
    ]);
  });

  test('iam§17.8 one likeness of two delegations or two actions is not alike, for an approval of one never admits the other', () => {
    const inbox = after(
      seen(confirmation({ id: 'a' }), confirmation({ id: 'b', delegationId: 'dlg_2' }), confirmation({ id: 'c', action: 'compute:reservations:extend' })),
    );
    expect(groupsOf(inbox, noon).map((group) => group.entries.length)).toEqual([1, 1, 1]);
  });

  test('iam§17.2 a list that was asked for before an event and arrives after it takes nothing back', () => {
    const used = confirmation({ status: 'used', decidedAt: noon + 1, usedAt: noon + 2 });
    const inbox = after(seen(confirmation()), seen(used), seen(confirmation({ status: 'approved', decidedAt: noon + 1 })), seen(confirmation()));
    expect(inbox.get('cnf_1')?.confirmation.status).toBe('used');
  });

  test('iam§17.8 what was decided elsewhere stays on the desk and is told apart from what was decided here', () => {
    const rejected = confirmation({ status: 'rejected', decidedAt: noon + 1 });
    const elsewhere = after(seen(confirmation()), seen(rejected));
    expect(elsewhere.get('cnf_1')).toMatchObject({ isOnDesk: true, isDecidedHere: false });
    const here = after(seen(confirmation()), { type: 'decided', confirmation: rejected });
    expect(here.get('cnf_1')).toMatchObject({ isOnDesk: true, isDecidedHere: true });
  });

  test('iam§17.8 the event of an own decision, also when it overtakes its answer, does not make it one of elsewhere', () => {
    const approved = confirmation({ status: 'approved', decidedAt: noon + 1 });
    expect(after(seen(confirmation()), seen(approved), { type: 'decided', confirmation: approved }).get('cnf_1')?.isDecidedHere).toBe(true);
  });

  test('iam§17.8 a request whose contents change while it waits is to be read again; its repeat count alone is no change', () => {
    expect(after(seen(confirmation()), seen(confirmation({ repeat: { count: 2, rejected: 0 } }))).get('cnf_1')?.hasChanged).toBe(false);
    for (const change of [
      { digest: 'digest-2' },
      { summary: 'Reserve 64 × B200' },
      { facts: [{ label: 'Cost', value: '1' }] },
      { action: 'compute:reservations:extend' },
    ]) {
      const inbox = after(seen(confirmation()), seen(confirmation(change)), seen(confirmation(change)));
      expect(inbox.get('cnf_1')?.hasChanged).toBe(true);
      expect(inboxAfter(inbox, { type: 'read-again', id: 'cnf_1' }).get('cnf_1')?.hasChanged).toBe(false);
    }
  });

  test('iam§17.2 history has what is decided, used or past its time, what happened last on top, and nothing that waits', () => {
    const inbox = after(
      seen(
        confirmation({ id: 'waits', expiresAt: noon + 10_000 }),
        confirmation({ id: 'lapsed', expiresAt: noon + 1_000 }),
        confirmation({ id: 'used', status: 'used', decidedAt: noon + 100, usedAt: noon + 3_000 }),
        confirmation({ id: 'unused', status: 'approved', decidedAt: noon + 100, expiresAt: noon + 2_000 }),
        confirmation({ id: 'rejected', status: 'rejected', decidedAt: noon + 4_000, expiresAt: noon + 4_000 }),
      ),
    );
    const now = noon + 5_000;
    expect(pastOf(inbox, now).map((past) => [past.confirmation.id, past.standing])).toEqual([
      ['rejected', 'rejected'],
      ['used', 'used'],
      ['unused', 'unused'],
      ['lapsed', 'lapsed'],
    ]);
    expect(pendingOf(inbox, now).map((entry) => entry.confirmation.id)).toEqual(['waits']);
  });

  test('iam§17.8 what was put aside leaves the desk and stays in history', () => {
    const inbox = after(
      seen(confirmation()),
      { type: 'decided', confirmation: confirmation({ status: 'rejected', decidedAt: noon }) },
      { type: 'put-aside', id: 'cnf_1' },
    );
    expect(groupsOf(inbox, noon)).toEqual([]);
    expect(pastOf(inbox, noon)).toHaveLength(1);
  });
});
