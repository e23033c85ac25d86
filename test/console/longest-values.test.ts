import { mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToHours } from '../../src/statistics/statistic-hours.queries.ts';
import { startService, type TestService } from '../support/service.ts';
import { launchBrowser, newOperator, signIn, type TestBrowser } from './support/browser.ts';
import { type CoffeeShop, openCoffeeShop } from './support/coffee-shop.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = `${root}dist/screenshots/longest`;

/** Pixels: a phone and a laptop. */
const WIDTHS = { phone: 390, laptop: 1280 };

/** Every address of the console that shows what a client has. */
const routes = [...readFileSync(`${root}src/console/routes.tsx`, 'utf8').matchAll(/page\(\s*'([^']+)'/g)]
  .map(([, path]) => path ?? '')
  .filter((path) => !['/sign-in', '/change-password'].includes(path));
const tabs = ['progress', 'rewards', 'points', 'redemptions', 'chests'].map((tab) => `/accounts/:id?tab=${tab}`);

/** The longest that the API takes: letters without a place to break, as ids of other systems are. */
const LONGEST: Readonly<Record<string, readonly string[]>> = {
  account: ['external_id:255', 'name:255', 'email:254'],
  agreement: ['name:255'],
  audience: ['name:255', 'description:4000'],
  campaign: ['name:255', 'description:4000'],
  chest_definition: ['name:255'],
  client: ['name:255'],
  console_user: ['name:255'],
  credential: ['name:255'],
  event_definition: ['name:255', 'description:4000'],
  mission: ['name:255', 'description:4000'],
  product: ['name:255', 'description:4000'],
  publication: ['name:255'],
  reward: ['name:255'],
};

/** Sums of years; one request may name a billion at most. */
const LARGEST: Readonly<Record<string, string>> = {
  agreement: 'stock = 2000000000',
  assignment: 'progress = 999999999.9999',
  earned_reward: 'amount = 999999999.9999',
  mission: 'target = 1000000000',
  point_balance:
    'available = 123456789012.3456, spent = 98765432109.8765, expired = 9876543.21, lifetime_earned = 223456789012.34',
  point_entry: 'amount = 123456789.9876, balance_after = 123456789012.3456',
  product: 'stock = 2000000000',
  publication: 'points_cost = 999999999.9999, stock = 1999999999',
  reward: 'amount = 999999999.9999',
};

let service: TestService;
let shop: CoffeeShop;
let browser: TestBrowser;
let visitor: BrowserContext;
let page: Page;
beforeAll(async () => {
  mkdirSync(screenshots, { recursive: true });
  service = await startService();
  [shop, browser] = await Promise.all([openCoffeeShop(service), launchBrowser()]);
  await stretch();
  visitor = await browser.visitor({ reducedMotion: 'reduce' });
  page = await visitor.newPage();
  await signIn(page, service, await newOperator(service, 'SERVICE_ADMIN'));
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await shop?.receiver.close();
  await service?.close();
});

describe('With the longest values that the API allows', () => {
  it.each([...routes, ...tabs])('%s scrolls sideways on no screen, and no text lies over another', async (path) => {
    const faults: string[] = [];
    for (const [screen, width] of Object.entries(WIDTHS)) {
      await page.setViewportSize({ width, height: 860 });
      await page.goto(`${service.baseUrl}/console${withIds(path)}`);
      await settled();
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
      if (wide > width) faults.push(`${screen}: the page is ${wide} pixels wide`);
      faults.push(...(await page.evaluate<string[]>(textOutside)).map((text) => `${screen}: ${text}`));
      const name = path.replaceAll(/\W+/g, '-').replace(/^-/, '') || 'overview';
      await page.screenshot({ path: `${screenshots}/${name}.${screen}.png`, fullPage: true });
    }
    expect(faults).toEqual([]);
  });
});

/** Texts that leave the cell, card, button or badge in which they stand, where nothing scrolls or cuts them off. */
const textOutside = `(() => {
  const boxes = 'td, th, dd, dt, button, a, [role=tab], .mantine-Card-root, .mantine-Badge-root, .mantine-Alert-root';
  const found = [];
  const walker = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.data.trim() === '') continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    let at = node.parentElement;
    const style = getComputedStyle(at);
    if (style.visibility === 'hidden' || style.clipPath !== 'none' || style.position === 'absolute') continue;
    const right = Math.max(...[...range.getClientRects()].map((rect) => rect.right));
    while (at !== null && at !== document.body) {
      if (getComputedStyle(at).overflowX !== 'visible') break;
      if (at.matches(boxes)) {
        const over = right - at.getBoundingClientRect().right;
        if (over > 1) found.push(at.tagName + ' is left by ' + Math.round(over) + ' pixels: ' + node.data.slice(0, 40));
        break;
      }
      at = at.parentElement;
    }
  }
  return [...new Set(found)].slice(0, 6);
})()`;

/** The page has come to rest. */
async function settled(): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page
    .locator('[aria-busy=true], .mantine-Skeleton-root, .mantine-Loader-root')
    .first()
    .waitFor({ state: 'detached' });
  await page.evaluate('document.fonts.ready.then(() => undefined)');
}

function withIds(path: string): string {
  if (!path.includes(':')) return path;
  return path.replace(/:\w+/, shop.ids[path.replace(/\?.*/, '')] ?? '');
}

/** Straight into the tables: what an account earned cannot be given a longer name over the API. */
async function stretch(): Promise<void> {
  await service.db.systemUnitOfWork(async (uow) => {
    for (const [table, columns] of Object.entries(LONGEST))
      for (const column of columns) {
        const [name, length] = column.split(':');
        const host = name === 'email' ? `'@example.com'` : `''`;
        await uow.query(
          `update ${table} set ${name} = rpad(split_part(${name}, '@', 1), ${length}::int - length(${host}), 'abcdefghij') || ${host}
            where ${name} is not null and ${name} <> ''`,
        );
      }
    for (const [table, values] of Object.entries(LARGEST)) await uow.query(`update ${table} set ${values}`);
    const many = { eventsApplied: 1_999_999_999, missionsCompleted: 1_234_907, rewardsDelivered: 1_999_999_999 };
    await addToHours(uow, [{ clientId: service.clientId, hour: new Date(), happened: many }]);
  });
}
