import { type Browser, chromium } from 'playwright-core';

/** Debian's Chromium, quiet: it makes no request of its own. */
export async function launchChromium(executablePath: string): Promise<Browser> {
  return await chromium.launch({
    executablePath,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
