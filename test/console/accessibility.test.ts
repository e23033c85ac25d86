import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { navigation } from '../../src/console/shell/navigation.ts';
import { startService, type TestService } from '../support/service.ts';
import { launchBrowser, newOperator, type Operator, signIn, type TestBrowser } from './support/browser.ts';
import { type BusyClient, busyClient } from './support/busy-client.ts';

/** Ignored by git: for whoever wants to look at every page. */
const SCREENSHOTS = 'dist/screenshots';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const devices: Readonly<Record<string, BrowserContextOptions>> = {
  light: { viewport: { width: 1360, height: 900 } },
  dark: { viewport: { width: 1360, height: 900 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
};

let service: TestService;
let browser: TestBrowser;
let operator: Operator;
let client: BusyClient;
beforeAll(async () => {
  service = await startService();
  [browser, operator, client] = await Promise.all([launchBrowser(), newOperator(service), busyClient(service)]);
  await mkdir(SCREENSHOTS, { recursive: true });
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

/** Every page: those of the navigation, and those below them. */
function pages(): string[] {
  const top = navigation.flatMap(({ destinations }) => destinations.map(({ path }) => path));
  return [
    ...top,
    '/campaigns/new',
    `/campaigns/${client.campaignId}`,
    `/campaigns/${client.draftId}/edit`,
    `/accounts/${client.accountId}`,
    ...['progress', 'rewards', 'points', 'redemptions', 'chests'].map(
      (tab) => `/accounts/${client.accountId}?tab=${tab}`,
    ),
    `/audiences/${client.audienceId}`,
    `/products/${client.productId}`,
    '/no/such/page',
  ];
}

/** Until the page has what it asked for: no grey line is left, nothing loads. */
async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
}

async function seriousFaults(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  const results = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as AxeResults;
  return results.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, any }) => `${id}: ${html.slice(0, 160)} (${any[0]?.message ?? ''})`),
    );
}

describe.each(Object.entries(devices))('Every page of the console, %s', (device, options) => {
  it('has no serious fault of accessibility, fits its width, and breaks nothing', async () => {
    const visitor = await browser.visitor(options);
    const page = await visitor.newPage();
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(`${page.url()} threw ${message}`));
    await page.goto(`${service.baseUrl}/console/sign-in`);
    await page.getByLabel('E-mail').waitFor();
    faults.push(...(await seriousFaults(page)).map((fault) => `/sign-in ${fault}`));
    await signIn(page, service, operator);
    for (const path of pages()) {
      await page.goto(`${service.baseUrl}/console${path}`);
      await settled(page);
      faults.push(...(await seriousFaults(page)).map((fault) => `${path} ${fault}`));
      const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
      if (Number(overflow) > 0) faults.push(`${path} is ${overflow} pixels too wide`);
      const name = path.replace(/[0-9a-f-]{36}/, 'one').replaceAll(/\W+/g, '-');
      await page.screenshot({ path: `${SCREENSHOTS}/${name}-${device}.png`, fullPage: true });
    }
    expect(faults).toEqual([]);
    await visitor.close();
  }, 180_000);
});
