import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fixture, startFixture, TOKEN } from './conformance/fixture.ts';
import { differences } from './differential/differences.ts';
import { recorded, type Recorded } from './differential/exchanges.ts';
import { officialHandler } from './differential/servers.ts';
import { summaryOf } from './differential/summary.ts';

let fixture: Fixture;
const official = officialHandler();
beforeAll(async () => void (fixture = await startFixture()));
afterAll(() => fixture.close());

const requestOf = (url: string, { method = 'POST', headers, body }: Recorded): Request =>
  new Request(url, { method, headers: { ...headers, authorization: `Bearer ${TOKEN}` }, ...(body === undefined ? {} : { body }) });

const explained = new Map(differences.flatMap(({ exchanges }) => exchanges.map(([name, ours, theirs]) => [name, { ours, theirs }] as const)));

describe('compute§11.2 the same bytes to ours and to the official server', () => {
  test.each(recorded.map((exchange) => [exchange.name, exchange] as const))('B144 %s', async (name, exchange) => {
    const ours = await summaryOf(await fetch(requestOf(fixture.url, exchange)));
    const theirs = await summaryOf(await official(requestOf('http://127.0.0.1/mcp', exchange)));
    const difference = explained.get(name);
    if (difference) expect({ ours, theirs }).toEqual(difference);
    else expect(ours).toBe(theirs);
  });

  test('every explained difference is of an exchange, once, and is one', () => {
    const names = differences.flatMap(({ exchanges }) => exchanges.map(([name]) => name));
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !recorded.some((exchange) => exchange.name === name))).toEqual([]);
    expect([...explained.values()].filter(({ ours, theirs }) => ours === theirs)).toEqual([]);
    expect(new Set(recorded.map(({ name }) => name)).size).toBe(recorded.length);
  });
});
