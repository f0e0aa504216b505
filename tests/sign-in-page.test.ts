import { createIamClient } from '@better-iam/client';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchChromium } from '../tools/browser/chromium.ts';
import { needs } from '../tools/needs.ts';
import { codeOf } from './support/administrator.ts';
import { type Deployment, startDeployment } from './support/deployment.ts';

const chromium = needs('chromium');

/** Collected in the page: what its content security policy forbade. */
const VIOLATIONS = `window.violations = []; addEventListener('securitypolicyviolation', (e) => window.violations.push(e.violatedDirective + ' ' + e.blockedURI))`;
const PASSWORD = 'correct horse battery';

describe.skipIf(chromium === undefined)('signing in, in a real browser', () => {
  let d: Deployment;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let faults: string[];

  beforeAll(async () => {
    d = await startDeployment({ hasNodes: false });
    browser = await launchChromium(chromium!);
  });
  afterAll(async () => {
    await browser?.close();
    await d?.stop();
  });
  beforeEach(async () => {
    context = await browser.newContext({ locale: 'en-GB' });
    await context.addInitScript(VIOLATIONS);
    page = await context.newPage();
    page.setDefaultTimeout(60_000);
    faults = [];
    page.on('pageerror', (error) => faults.push(error.message));
  });
  afterEach(async () => {
    const violations = await page.evaluate('window.violations');
    await context.close();
    expect({ faults, violations }).toEqual({ faults: [], violations: [] });
  });

  const type = async (label: string, text: string) => await page.getByLabel(label, { exact: true }).fill(text);
  const press = async (name: string) => await page.getByRole('button', { name, exact: true }).click();
  const signIn = async (organization: string, email: string, password: string) => {
    await type('Organization', organization);
    await type('E-mail', email);
    await type('Password', password);
    await press('Sign in');
  };
  const inApprovals = () => page.getByRole('heading', { name: 'Approvals' }).waitFor();
  const asAlice = () => createIamClient({ baseURL: d.plane.url, token: d.alice.token });

  test('iam§3.4 the second factor is asked for after the password; a wrong code stays on the page, a recovery code will do', async () => {
    await asAlice().identities.create({ email: 'carol@acme.test', name: 'Carol', password: PASSWORD });
    const { token = '' } = await createIamClient({ baseURL: d.plane.url }).auth.signIn({ organization: 'acme', email: 'carol@acme.test', password: PASSWORD });
    const carol = createIamClient({ baseURL: d.plane.url, token });
    const { recoveryCodes } = await carol.auth.confirmMfa({ code: codeOf((await carol.auth.beginMfa({})).secret) });
    await page.goto(d.plane.publicUrl);
    await signIn('acme', 'carol@acme.test', PASSWORD);
    await page.getByRole('heading', { name: 'Second factor' }).waitFor();
    expect(await context.cookies()).toEqual([]);
    await type('Code', '000000');
    await press('Continue');
    await page.getByText('That code is wrong').waitFor();
    await type('Code', recoveryCodes[0]!.toLowerCase());
    await press('Continue');
    await inApprovals();
    expect((await context.cookies())[0]).toMatchObject({ name: 'better-iam.session', httpOnly: true });
  });

  test('iam§3.4 iam§3.5 a root administrator with a code of the host sets a password, enrols a factor, keeps the recovery codes, and sees the notice', async () => {
    const { email } = d.admin;
    const made = await d.plane.iam.breakGlass({ organization: 'platform', email, reason: 'phone <b>lost</b>', hostAccount: 'ops' });
    await page.goto(d.plane.publicUrl);
    await press('I have a one-time code');
    await type('Organization', 'platform');
    await type('E-mail', email);
    await type('One-time code', made.code);
    await type('New password', 'another long password');
    await press('Set the password');
    await page.getByRole('heading', { name: 'Add a second factor' }).waitFor();
    await page.getByText('otpauth://totp/').waitFor();
    const secret = await page.locator('[data-secret]').innerText();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    await type('The code it shows', '000000');
    await press('Confirm');
    await page.getByText('That code is wrong').waitFor();
    await type('The code it shows', codeOf(secret));
    await press('Confirm');
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor();
    expect(await page.getByRole('listitem').allInnerTexts()).toEqual(Array.from({ length: 10 }, () => expect.stringMatching(/^[B-Z]{4}(-[B-Z]{4}){2}$/)));
    await page.getByRole('checkbox').check();
    await press('Go on');
    await inApprovals();
    const notice = page.getByRole('complementary', { name: 'Ways back in' });
    expect(await notice.innerText()).toContain('ops on the host (break-glass) made a code that lets you in again without a second factor');
    expect(await notice.innerText()).toContain('“phone <b>lost</b>”');
  });

  test('iam§3.6 /device: the code is typed and never carried by the link; what asks is named as inert text, with what is given away', async () => {
    const begun = await createIamClient({ baseURL: d.plane.url }).auth.beginDevice({ clientName: '<b>laptop</b> https://evil.example' });
    await page.goto(`${d.plane.publicUrl}/device?code=${begun.userCode}&userCode=${begun.userCode}#${begun.userCode}`);
    await signIn('acme', d.alice.email, d.alice.password);
    await page.getByRole('heading', { name: 'Sign in a terminal' }).waitFor();
    expect(await page.title()).toBe('Sign in a terminal · Better Compute');
    expect(await page.getByLabel('Code', { exact: true }).inputValue()).toBe('');
    await page.getByText('If an agent or a message gave you this code, refuse.').waitFor();
    await type('Code', 'BBBB-BBBB');
    await press('Look it up');
    await page.getByText('No terminal waits with that code').waitFor();
    await type('Code', begun.userCode.toLowerCase().replace('-', ' '));
    await press('Look it up');
    await page.getByRole('heading', { name: 'Give this terminal your rights?' }).waitFor();
    expect(await page.locator('[data-client]').innerText()).toBe('<b>laptop</b> https://evil.example');
    expect(await page.locator('[data-client] *').count()).toBe(0);
    await page.getByText('confirming what agents ask for included').waitFor();
    await page.getByText('If an agent or a message gave you this code, refuse.').waitFor();
    // later than five minutes after the sign-in
    await d.plane.iam.store.run(`update iam.credentials set authenticated_at = authenticated_at - 300000 where identity_id = $1`, [d.alice.identityId]);
    await press('Sign it in as me');
    await page.getByRole('heading', { name: 'Your password again' }).waitFor();
    await type('Password', d.alice.password);
    await press('Continue');
    await page.getByText('The terminal is signed in as you.').waitFor();
    const { token = '' } = await createIamClient({ baseURL: d.plane.url }).auth.pollDevice({ deviceCode: begun.deviceCode });
    expect(await createIamClient({ baseURL: d.plane.url, token }).sts.getCallerIdentity()).toMatchObject({ identityId: d.alice.identityId, method: 'device' });
  });

  test('iam§3.6 /device: refused is refused', async () => {
    const iam = createIamClient({ baseURL: d.plane.url });
    const begun = await iam.auth.beginDevice({ clientName: 'laptop' });
    await page.goto(`${d.plane.publicUrl}/device`);
    await signIn('acme', d.alice.email, d.alice.password);
    await type('Code', begun.userCode);
    await press('Look it up');
    await page.getByRole('button', { name: 'Refuse' }).waitFor();
    // where the cursor stands: refusing takes one key, giving away takes a choice
    await expect.poll(() => page.evaluate('document.activeElement.innerText')).toBe('Refuse');
    await page.keyboard.press('Enter');
    await page.getByText('Refused. The terminal gets nothing.').waitFor();
    await expect(iam.auth.pollDevice({ deviceCode: begun.deviceCode })).rejects.toMatchObject({ code: 'INVALID_CHALLENGE' });
  });
});
