import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { launchBrowser, newOperator, signIn, type TestBrowser } from './support/browser.ts';
import { type CoffeeShop, openCoffeeShop } from './support/coffee-shop.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = `${root}dist/screenshots`;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Pixels: the width of a laptop and of a small phone. */
const LAPTOP = { width: 1280, height: 860 };
const PHONE = { width: 360, height: 740 };

/** Addresses that only those see who are not signed in, or who must do something else first. */
const OUTSIDE = ['/sign-in', '/change-password'];

/** Every address of the console, as `routes.tsx` has them: a page that is added there is tested here. */
const routes = [...readFileSync(`${root}src/console/routes.tsx`, 'utf8').matchAll(/page\(\s*'([^']+)'/g)]
  .map(([, path]) => path ?? '')
  .filter((path) => !OUTSIDE.includes(path));

/** What is a page of its own to those who see it, and no route of its own. */
const more = [
  ...['progress', 'rewards', 'points', 'redemptions', 'chests'].map((tab) => `/accounts/:id?tab=${tab}`),
  '/webhooks?tab=waiting',
  '/no/such/page',
];

/** Milliseconds. The promise is 1,500 on two quiet cores; the tests of other files run beside this one. */
const INTERACTIVE_WITHIN = 3_000;

/** The browser's score of what moves by itself while a page loads, from which on people are disturbed. */
const SHIFT_AT_MOST = 0.1;

/** What of axe can find in the dark what it did not find in the light, and on a phone what it did not on a laptop. */
const COLOURS = { runOnly: ['color-contrast'] };
const BUT_COLOURS = { rules: { 'color-contrast': { enabled: false } } };

let service: TestService;
let shop: CoffeeShop;
let browser: TestBrowser;
let visitor: BrowserContext;
let page: Page;
/** What the page's own code threw since the last page. */
const thrown: string[] = [];
beforeAll(async () => {
  mkdirSync(screenshots, { recursive: true });
  service = await startService();
  [shop, browser] = await Promise.all([openCoffeeShop(service), launchBrowser()]);
  visitor = await browser.visitor({ viewport: LAPTOP, reducedMotion: 'reduce' });
  page = await visitor.newPage();
  page.on('pageerror', ({ message }) => thrown.push(`threw ${message}`));
  await signIn(page, service, await newOperator(service, 'SERVICE_ADMIN'));
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await shop?.receiver.close();
  await service?.close();
});

describe('Every page of the console', () => {
  it.each([...routes, ...more])('%s can be used by everybody, in light and dark, and on a phone', async (path) => {
    await page.setViewportSize(LAPTOP);
    await page.goto(`${service.baseUrl}/console${withIds(path)}`);
    await settled();
    await expectEverybodyCanUse(path);
  });
});

describe('The first page of the console', () => {
  it('can be typed into soon after it was asked for, without a cache, and can be used by everybody', async () => {
    const stranger = await browser.visitor({ viewport: LAPTOP, reducedMotion: 'reduce' });
    const mine = page;
    page = await stranger.newPage();
    await page.goto(`${service.baseUrl}/console/`, { waitUntil: 'commit' });
    await page.getByLabel('E-mail').fill('o');
    const waited = await page.evaluate<number>('performance.now()');
    expect(waited).toBeLessThan(INTERACTIVE_WITHIN);
    await settled();
    await expectEverybodyCanUse('/sign-in');
    await stranger.close();
    page = mine;
  });
});

/** Nothing jumped while it loaded; axe in both colour schemes and on a phone; a picture of each for people to look at. */
async function expectEverybodyCanUse(path: string): Promise<void> {
  const shift = await layoutShift();
  const faults: string[] = shift > SHIFT_AT_MOST ? [`the page jumped by ${shift} while it loaded`] : [];
  faults.push(...(await violations('light')));
  await photograph(path, 'light');
  await inScheme('dark');
  faults.push(...(await violations('dark', COLOURS)));
  await photograph(path, 'dark');
  await inScheme('light');
  await page.setViewportSize(PHONE);
  await settled();
  faults.push(...(await violations('phone', BUT_COLOURS)));
  await photograph(path, 'phone');
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  if (width > PHONE.width) faults.push(`phone: the page is ${width} pixels wide`);
  expect([...faults, ...thrown.splice(0)]).toEqual([]);
}

/** The page follows the system, a moment later; two frames later also what moves from one colour to the other. */
async function inScheme(scheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme });
  await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor();
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}

/** The page has come to rest: its heading is there, nothing is loading, nothing is grey. */
async function settled(): Promise<void> {
  await page.locator('h1').first().waitFor();
  const unrest = page.locator('[aria-busy=true], .mantine-Skeleton-root, .mantine-Loader-root');
  await unrest.first().waitFor({ state: 'detached' });
  await page.evaluate('document.fonts.ready.then(() => undefined)');
}

/** What moved on the screen by itself since the page was asked for, as the browser's own score of it. */
function layoutShift(): Promise<number> {
  return page.evaluate<number>(`new Promise((tell) => {
    const observer = new PerformanceObserver((list) => {
      observer.disconnect();
      tell(list.getEntries().reduce((sum, { value, hadRecentInput }) => sum + (hadRecentInput ? 0 : value), 0));
    });
    observer.observe({ type: 'layout-shift', buffered: true });
    // Without any entry the observer is never called.
    requestAnimationFrame(() => requestAnimationFrame(() => tell(0)));
  })`);
}

/** What hinders people seriously or wholly, with where it stands. */
async function violations(where: string, rules: object = {}): Promise<string[]> {
  // Run by the debugger's protocol, because the page's own policy allows no script but its files.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe);
  const options = JSON.stringify({ resultTypes: ['violations'], ...rules });
  const found = await page.evaluate<readonly Violation[]>(`axe.run(${options}).then(({ violations }) => violations)`);
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${where}: ${id} ${target.join(' ')} ${failureSummary}`),
    );
}

type Violation = {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[];
};

function withIds(path: string): string {
  if (!path.includes(':')) return path;
  const id = shop.ids[path.replace(/\?.*/, '')];
  if (id === undefined) throw new Error(`Name an id for ${path} in support/coffee-shop.ts.`);
  return path.replace(/:\w+/, id);
}

async function photograph(path: string, kind: string): Promise<void> {
  const name = path.replaceAll(/\W+/g, '-').replace(/^-/, '') || 'overview';
  await page.screenshot({ path: `${screenshots}/${name}.${kind}.png`, fullPage: true });
}
