// Makes docs/approvals.png, the picture in the README, from a real server with a real request on it.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createComputeClient } from '@better-compute/client';
import { launchChromium } from './browser/chromium.ts';
import { startDevServer } from './browser/dev-server.ts';
import { fillSignIn } from './browser/sign-in.ts';
import { needs } from './needs.ts';

const chromium = needs('chromium');
if (chromium === undefined) process.exit(1);

const folder = join(import.meta.dirname, '..', 'docs');
mkdirSync(folder, { recursive: true });
const server = await startDevServer();
const browser = await launchChromium(chromium);
try {
  const page = await browser.newPage({ viewport: { width: 900, height: 600 }, deviceScaleFactor: 1.5, locale: 'en-GB', colorScheme: 'light' });
  await page.goto(`${server.url}/approvals`);
  await fillSignIn(page, server);
  await page.getByText('When an agent wants to do something').waitFor();
  await createComputeClient({ baseURL: server.url, token: server.agentToken })
    .reservations.create({
      poolId: 'pool_b200-ams',
      requests: [{ class: 'gpu', count: 16, model: 'B200', nvlink: true }],
      duration: '8h',
      note: 'Run 41 has converged on one node. Two nodes at once finish the long-context evaluation tonight; I release them when it is done.',
    })
    .catch((error: { code?: string }) => {
      if (error.code !== 'CONFIRMATION_REQUIRED') throw error;
    });
  await page.getByRole('article').waitFor();
  const path = join(folder, 'approvals.png');
  await page.screenshot({ path, fullPage: true });
  process.stdout.write(`${path}\n`);
} finally {
  await browser.close();
  await server.stop();
}
