import type { Page } from 'playwright-core';
import type { DevWorld } from './dev-server.ts';

/** Fills in the form the page shows, as the demo person. */
export async function fillSignIn(page: Page, world: DevWorld, password = world.person.password): Promise<void> {
  await page.getByLabel('Organization', { exact: true }).fill(world.demo.slug);
  await page.getByLabel('E-mail', { exact: true }).fill(world.person.email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
}
