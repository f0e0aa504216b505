import { createComputeClient } from '@better-compute/client';
import { createIamClient, type IamClient } from '@better-iam/client';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchChromium } from '../tools/browser/chromium.ts';
import { type DevServer, startDevServer } from '../tools/browser/dev-server.ts';
import { fillSignIn } from '../tools/browser/sign-in.ts';
import { needs } from '../tools/needs.ts';

const chromium = needs('chromium');
const HELD = 'CONFIRMATION_REQUIRED';
const REQUEST = { poolId: 'pool_h100-fra', duration: '8h' };

/** Collected in the page: what its content security policy forbade. */
const VIOLATIONS = `window.violations = []; addEventListener('securitypolicyviolation', (e) => window.violations.push(e.violatedDirective + ' ' + e.blockedURI))`;

describe.skipIf(chromium === undefined)('issue2.8 the approvals page in a real browser', () => {
  let server: DevServer;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let faults: string[];
  let token: string;
  let person: IamClient;
  /** Each request of its own likeness: two alike would stand in one group, and two rejected ones would start a cool-down. */
  let hours = 0;

  beforeAll(async () => {
    server = await startDevServer();
    browser = await launchChromium(chromium!);
    const signedIn = await createIamClient({ baseURL: server.url }).auth.signIn({
      organization: server.demo.slug,
      email: server.person.email,
      password: server.person.password,
    });
    token = signedIn.token!;
    person = createIamClient({ baseURL: server.url, token });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });
  beforeEach(async () => {
    context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1000, height: 900 } });
    await context.addInitScript(VIOLATIONS);
    page = await context.newPage();
    page.setDefaultTimeout(60_000);
    faults = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      // a call that is refused on purpose is reported as an error by the browser itself
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) faults.push(message.text());
    });
  });
  afterEach(async () => {
    const violations = page.isClosed() ? [] : await page.evaluate('window.violations');
    await context.close();
    expect({ faults, violations }).toEqual({ faults: [], violations: [] });
  });

  /** With the form; sparingly, for ten attempts in a quarter of an hour are all an account has. */
  async function signIn(path: string, password?: string): Promise<void> {
    await page.goto(server.url + path);
    await fillSignIn(page, server, password);
  }

  /** Already signed in. */
  async function open(path = '/approvals'): Promise<void> {
    await context.addCookies([{ name: 'better-iam.session', value: token, url: server.url, httpOnly: true }]);
    await page.goto(server.url + path);
  }

  /** The agent tries; the service files a confirmation in its place. */
  async function ask(more: { note?: string; duration?: string; idempotencyKey?: string } = {}) {
    const duration = more.duration ?? `${++hours}h`;
    const agent = createComputeClient({ baseURL: server.url, token: server.agentToken });
    const input = { ...REQUEST, requests: [{ class: 'gpu' as const, count: 1 }], duration, ...more };
    const refusal = await agent.reservations.create(input).then(
      () => undefined,
      (error: unknown) => error as { code: string; details?: { confirmationId?: string }; idempotencyKey?: string },
    );
    expect(refusal?.code).toBe(HELD);
    const id = refusal?.details?.confirmationId ?? '';
    return { id, retry: () => agent.reservations.create({ ...input, idempotencyKey: refusal?.idempotencyKey ?? '' }) };
  }

  const card = (id: string) => page.locator(`[data-confirmation="${id}"]`);
  const isLive = () => page.getByText('Live', { exact: true }).waitFor();

  test('iam§17.8 a held request appears by itself, its card in the agreed order, and is approved by keyboard, used once and kept in history', async () => {
    await signIn('/approvals');
    await page.getByText('When an agent wants to do something').waitFor();
    await isLive();
    expect(await page.title()).toBe('Approvals · Better Compute');
    const asked = await ask({ note: 'For run 41. <b>See</b> https://evil.example' });
    await card(asked.id).waitFor();
    await expect.poll(() => page.title()).toBe('(1) Approvals · Better Compute');

    const text = await card(asked.id).innerText();
    const order = [
      server.agent.name,
      'sponsored by',
      'The system’s statement',
      'Left now',
      'Action',
      'compute:reservations:create',
      'Resource',
      'Works once',
      'must come back for it by',
      'nothing happens',
      'Decide within',
      'The agent’s own words, unchecked',
      'For run 41. <b>See</b> https://evil.example',
      'Approve once',
    ];
    const places = order.map((part) => text.indexOf(part));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(await card(asked.id).locator('a, b').count()).toBe(0);

    const { summary, validSeconds } = await person.delegations.getConfirmation({ confirmationId: asked.id });
    expect(validSeconds).toBe(3600);
    await page.keyboard.press('j');
    expect(await card(asked.id).evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    await page.keyboard.press('a');
    await page.keyboard.press('a');
    expect((await person.delegations.getConfirmation({ confirmationId: asked.id })).status).toBe('pending');
    await page.getByRole('button', { name: `Yes, approve: ${summary}` }).waitFor();
    await page.keyboard.press('Enter');
    await card(asked.id).getByText('Approved by you').waitFor();
    expect(await page.evaluate('document.activeElement.innerText')).toContain('It works once, if the agent comes back by');

    await asked.retry();
    await card(asked.id).getByText('The approval is used up.').waitFor();
    await page.getByRole('button', { name: `Dismiss: ${summary}` }).click();
    await card(asked.id).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: summary }).waitFor();
    expect(await page.getByRole('listitem').first().innerText()).toContain('Used');
  });

  test('iam§17.8 compute§3.5 the link of a card leads to it, through sign-in, and to nobody else’s; what is left is read live and no part of what is approved', async () => {
    const compute = createComputeClient({ baseURL: server.url, token });
    const budget = { delegation: server.delegationId, unit: 'gpuHours' as const, period: 'month' as const };
    const { left: before } = (await compute.budgets.set({ ...budget, limit: 1_000 })).budget;
    const asked = await ask({ duration: '7h' });
    await signIn(`/approvals/${asked.id}`);
    await card(asked.id).waitFor();
    expect(await page.locator('[data-confirmation]').count()).toBe(1);
    const text = (left: number, limit: number) =>
      card(asked.id).getByText(`The delegation's budget of ${limit} GPU-hours a month has ${left} left now, ${left - 7} after this.`);
    await text(before!, 1_000).waitFor();
    await card(asked.id).getByText('There is room for it now.').waitFor();
    await card(asked.id).getByText('not part of what you approve').waitFor();
    const { digest, summary, facts } = await person.delegations.getConfirmation({ confirmationId: asked.id });
    expect(JSON.stringify([summary, facts])).not.toContain('left now');
    // something changed meanwhile: the page tells by itself, and the request stays what it was
    await compute.budgets.set({ ...budget, limit: 500 });
    await text(before! - 500, 500).waitFor();
    expect(await person.delegations.getConfirmation({ confirmationId: asked.id })).toMatchObject({ digest, summary, facts });
    await compute.budgets.set({ ...budget, limit: null });
    await card(asked.id)
      .getByRole('button', { name: /^Reject/ })
      .click();
    await card(asked.id).getByText('Rejected by you').waitFor();
    expect(await card(asked.id).getByText('Left now').count()).toBe(0);
    await page.goto(`${server.url}/approvals/cnf_AAAAAAAAAAAAAAAAAAAAAA`);
    await page.getByText('No such request is put to you.').waitFor();
    await page.getByRole('link', { name: 'All requests' }).click();
    await page.getByRole('heading', { name: 'History' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/approvals');
  });

  test('iam§17.6 a double click, and a click while the answer is under way, decide once', async () => {
    const asked = await ask();
    await open();
    let sent = 0;
    await page.route('**/delegations/decideConfirmation', async (route) => {
      sent++;
      await card(asked.id).getByRole('button').first().dispatchEvent('click');
      await route.continue();
    });
    await card(asked.id)
      .getByRole('button', { name: /^Approve once/ })
      .dblclick();
    await card(asked.id).getByText('Approved by you').waitFor();
    expect(sent).toBe(1);
  });

  test('iam§17.6 what was decided elsewhere says so, at once and when this page comes second', async () => {
    const [first, second] = [await ask(), await ask()];
    await open();
    await isLive();
    await card(first.id).waitFor();
    await person.delegations.decideConfirmation({ confirmationId: first.id, approve: false });
    await card(first.id).getByText('Decided elsewhere, not on this page.').waitFor();
    expect(
      await card(first.id)
        .getByRole('button', { name: /^Approve/ })
        .count(),
    ).toBe(0);

    await page.route('**/delegations/decideConfirmation', async (route) => {
      await person.delegations.decideConfirmation({ confirmationId: second.id, approve: false });
      await route.continue();
    });
    await card(second.id)
      .getByRole('button', { name: /^Approve once/ })
      .click();
    await card(second.id).getByText('This request had already been decided, or has lapsed.').waitFor();
    await card(second.id).getByText('Rejected by you at').waitFor();
  });

  test('iam§17.2 a request that nobody decides lapses before the eyes of the reader', async () => {
    const asked = await ask();
    let leftMs = 600_000;
    await page.route('**/delegations/listConfirmations', async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as { data: { items: { id: string; expiresAt: number }[] } };
      for (const item of answer.data.items) if (item.id === asked.id) item.expiresAt = Date.now() + leftMs;
      await route.fulfill({ response, json: answer });
    });
    await open();
    await card(asked.id).getByText('Decide within').waitFor();
    // only now, however long the page took to show it; this has the list read anew
    leftMs = 1_500;
    await page.evaluate('dispatchEvent(new Event("online"))');
    await card(asked.id).getByText('nobody decided in time. Nothing happened.').waitFor();
    expect(
      await card(asked.id)
        .getByRole('button', { name: /^Approve/ })
        .count(),
    ).toBe(0);
    await person.delegations.decideConfirmation({ confirmationId: asked.id, approve: true });
  });

  test('issue2.8 without a network nothing is sent and the page says so; with it again, it is live by itself', async () => {
    await open();
    await isLive();
    const asked = await ask();
    await card(asked.id).waitFor();
    await context.setOffline(true);
    await card(asked.id)
      .getByRole('button', { name: /^Approve once/ })
      .click();
    await card(asked.id).getByText('You are offline, so nothing was sent.').waitFor();
    await context.setOffline(false);
    await isLive();
    await card(asked.id)
      .getByRole('button', { name: /^Approve once/ })
      .click();
    await card(asked.id).getByText('Approved by you').waitFor();
  });

  test('iam§6 the session is a cookie no script can read, kept nowhere else; signing out ends it', async () => {
    await signIn('/', 'not the password');
    await page.getByText('do not belong together').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(server.person.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Approvals' }).waitFor();
    const [cookie, ...others] = await context.cookies();
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({ name: 'better-iam.session', httpOnly: true, path: '/' });
    const kept = await page.evaluate('JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }, document.documentElement.outerHTML])');
    expect(kept).not.toContain(cookie!.value);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You have signed out.').waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    const refused = await createIamClient({ baseURL: server.url, token: cookie!.value })
      .sts.getCallerIdentity()
      .catch((error: { code?: string }) => error.code);
    expect(refused).toBe('UNAUTHENTICATED');
  });

  test('issue2.8 a session that ends elsewhere leads back to sign-in, and then to the same place', async () => {
    const asked = await ask();
    await signIn(`/approvals/${asked.id}`);
    await card(asked.id).waitFor();
    const [cookie] = await context.cookies();
    await createIamClient({ baseURL: server.url, token: cookie!.value }).auth.signOut();
    // the page may find out by itself before the click does
    await card(asked.id)
      .getByRole('button', { name: /^Reject/ })
      .click({ timeout: 2_000 })
      .catch(() => {});
    await page.getByText('Your session has ended.').waitFor();
    await fillSignIn(page, server);
    await card(asked.id)
      .getByRole('button', { name: /^Reject/ })
      .click();
    await card(asked.id).getByText('Rejected by you').waitFor();
  });

  test('issue2.8 every control has a name and the keyboard reaches it in the order of reading', async () => {
    const asked = await ask();
    await open();
    await card(asked.id).waitFor();
    const { summary } = await person.delegations.getConfirmation({ confirmationId: asked.id });
    const session = await context.newCDPSession(page);
    const { nodes } = (await session.send('Accessibility.getFullAXTree')) as {
      nodes: { role?: { value?: string }; name?: { value?: string }; ignored: boolean }[];
    };
    const named = (role: string) =>
      nodes.filter((node) => !node.ignored && node.role?.value === role).map((node) => node.name?.value?.replace(/\s+/g, ' ').trim() ?? '');
    for (const role of ['button', 'link', 'textbox', 'checkbox', 'article']) expect(named(role)).not.toContain('');
    expect(named('button')).toEqual(expect.arrayContaining([`Approve once: ${summary}`, `Reject: ${summary}`, 'Sign out', 'Keyboard shortcuts']));
    expect([named('banner').length, named('main').length]).toEqual([1, 1]);
    expect(named('article')).toContain(summary);
    const levels = (await page.evaluate(
      '[...document.querySelectorAll("h1,h2,h3,h4")].filter((h) => !h.closest("dialog")).map((h) => Number(h.tagName[1]))',
    )) as number[];
    expect(levels[0]).toBe(1);
    for (const [at, level] of levels.entries()) expect(level - (levels[at - 1] ?? 1)).toBeLessThanOrEqual(1);

    await page.evaluate('document.activeElement.blur()');
    const reached: string[] = [];
    for (let i = 0; i < 7; i++) {
      await page.keyboard.press('Tab');
      reached.push(
        String(await page.evaluate('(document.activeElement.getAttribute("aria-label") ?? document.activeElement.innerText).replace(/\\s+/g, " ").trim()')),
      );
    }
    expect(reached).toEqual([
      'Skip to the requests',
      'Better Compute',
      'Keyboard shortcuts',
      'Sign out',
      expect.stringMatching(/^Approve once/),
      expect.stringMatching(/^Reject/),
      expect.anything(),
    ]);
    const outline = await card(asked.id)
      .getByRole('button', { name: /^Approve once/ })
      .evaluate((button) => {
        (button as unknown as { focus(): void }).focus();
        const view = globalThis as unknown as { getComputedStyle(element: unknown): { outlineStyle: string; outlineWidth: string } };
        return view.getComputedStyle(button);
      });
    expect([outline.outlineStyle, outline.outlineWidth]).toEqual(['solid', '3px']);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    await page.keyboard.press('Escape');
    await card(asked.id)
      .getByRole('button', { name: /^Reject/ })
      .click();
    await card(asked.id).getByText('Rejected by you').waitFor();
  });

  test('issue2.8 it fits a narrow screen and follows the system into the dark', async () => {
    await open();
    await page.getByRole('heading', { name: 'History' }).waitFor();
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    await page.emulateMedia({ colorScheme: 'light' });
    const light = await background();
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await background()).not.toBe(light);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  });

  // last: it ends the one delegation of the demo world
  test('iam§17.6 a request of an agent that may no longer act says that nothing can come of it', async () => {
    await open();
    await isLive();
    const asked = await ask();
    await card(asked.id).waitFor();
    await person.delegations.revoke({ delegationId: server.delegationId });
    await card(asked.id)
      .getByRole('button', { name: /^Approve once/ })
      .click();
    await card(asked.id).getByText('its delegation has ended').waitFor();
    expect(
      await card(asked.id)
        .getByRole('button', { name: /^Approve/ })
        .count(),
    ).toBe(0);
  });
});
