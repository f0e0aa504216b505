import type { Confirmation } from '@better-iam/client';
import { expect, test } from 'vitest';
import { confirmation } from '../test-support/confirmation.ts';
import { type Link, retryMs, watchConfirmations, type WatchOptions } from './watch.ts';

type Opening = (signal: AbortSignal) => AsyncIterable<Confirmation>;

/** A watch over scripted connections; each wait ends at once and is written down. */
function scripted(openings: Opening[], more: Partial<WatchOptions> = {}) {
  const seen: string[] = [];
  const links: Link[] = [];
  const waits: number[] = [];
  let refreshes = 0;
  const over = Promise.withResolvers<void>();
  const watch = watchConfirmations({
    async open(signal) {
      const opening = openings.shift();
      if (!opening) {
        over.resolve();
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
      }
      return opening!(signal);
    },
    refresh: () => Promise.resolve(void refreshes++),
    seen: (c) => seen.push(c.id),
    link(link) {
      links.push(link);
      if (link === 'ended') over.resolve();
    },
    isFinal: (error) => (error as { code?: string }).code === 'UNAUTHENTICATED',
    wait: (ms) => Promise.resolve(void waits.push(ms)),
    now: () => 0,
    random: () => 1,
    ...more,
  });
  return { watch, seen, links, waits, over: over.promise, refreshes: () => refreshes };
}

async function* events(...list: unknown[]): AsyncGenerator<Confirmation> {
  for (const event of list) yield event as Confirmation;
}
const refused =
  (code: string): Opening =>
  () => {
    throw Object.assign(new Error(code), { code });
  };

test('issue2.8 after a lost connection everything is read anew, and the page says that it is reconnecting', async () => {
  const run = scripted([() => events(confirmation({ id: 'a' })), () => events(confirmation({ id: 'b' }))]);
  await run.over;
  run.watch.stop();
  expect(run.seen).toEqual(['a', 'b']);
  expect(run.refreshes()).toBe(2);
  expect(run.links).toEqual(['connecting', 'live', 'reconnecting', 'live', 'reconnecting']);
});

test('issue2.8 waits grow with each failure up to 30 s, and start over after a connection that held', async () => {
  let now = 0;
  const held: Opening = () =>
    (async function* () {
      now += 60_000;
      yield confirmation();
    })();
  const run = scripted([...Array.from({ length: 8 }, () => refused('UNAVAILABLE')), held, refused('UNAVAILABLE')], { now: () => now });
  await run.over;
  run.watch.stop();
  expect(run.waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 500, 1000]);
  expect(retryMs(3, 0)).toBe(retryMs(3, 1) / 2);
});

test('issue2.8 a session that has ended is not asked with again, be it refused at once or told by the last event of a stream', async () => {
  for (const opening of [refused('UNAUTHENTICATED'), () => events(confirmation({ id: 'a' }), { error: { code: 'UNAUTHENTICATED' } })]) {
    const run = scripted([opening, refused('MUST_NOT_BE_ASKED')]);
    await run.over;
    expect(run.links.at(-1)).toBe('ended');
    expect(run.waits).toEqual([]);
  }
});

test('issue2.8 when the network returns a silent connection is given up at once, without a wait', async () => {
  const silent: Opening = (signal) =>
    (async function* () {
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
      yield confirmation();
    })();
  const live = Promise.withResolvers<void>();
  const run = scripted([silent, () => events(confirmation({ id: 'after' }))], {
    refresh: () => {
      queueMicrotask(live.resolve);
      return Promise.resolve();
    },
  });
  await live.promise;
  run.watch.renew();
  await run.over;
  run.watch.stop();
  expect(run.seen).toEqual(['after']);
  expect(run.waits).toHaveLength(1);
});
