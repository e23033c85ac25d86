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
const paths = [...readFileSync(`${root}src/console/routes.tsx`, 'utf8').matchAll(/page\(\s*'([^']+)'/g)]
  .map(([, path]) => path ?? '')
  .filter((path) => !OUTSIDE.includes(path));

let service: TestService;
let shop: CoffeeShop;
let browser: TestBrowser;
let visitor: BrowserContext;
let page: Page;
beforeAll(async () => {
  mkdirSync(screenshots, { recursive: true });
  service = await startService();
  [shop, browser] = await Promise.all([openCoffeeShop(service), launchBrowser()]);
  visitor = await browser.visitor({ viewport: LAPTOP, reducedMotion: 'reduce' });
  page = await visitor.newPage();
  await signIn(page, service, await newOperator(service, 'SERVICE_ADMIN'));
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await shop?.receiver.close();
  await service?.close();
});

describe('Every page of the console', () => {
  it.each(paths)('%s can be used by everybody, in light and dark, and on a phone', async (path) => {
    await page.setViewportSize(LAPTOP);
    await page.goto(`${service.baseUrl}/console${withIds(path)}`);
    await settled();
    await expectEverybodyCanUse(path);
  });

  it('the sign-in, too', async () => {
    const stranger = await browser.visitor({ viewport: LAPTOP, reducedMotion: 'reduce' });
    const mine = page;
    page = await stranger.newPage();
    await page.goto(`${service.baseUrl}/console/`);
    await settled();
    await expectEverybodyCanUse('/sign-in');
    await stranger.close();
    page = mine;
  });
});

/** axe in both colour schemes, nothing wider than a phone; a picture of each for people to look at. */
async function expectEverybodyCanUse(path: string): Promise<void> {
  const faults: string[] = [];
  for (const scheme of ['light', 'dark'] as const) {
    await inScheme(scheme);
    faults.push(...(await violations(scheme)).map((violation) => `${scheme}: ${violation}`));
    await page.screenshot({ path: picture(path, scheme), fullPage: true });
  }
  await inScheme('light');
  await page.setViewportSize(PHONE);
  await settled();
  await page.screenshot({ path: picture(path, 'phone'), fullPage: true });
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  if (width > PHONE.width) faults.push(`phone: the page is ${width} pixels wide`);
  expect(faults).toEqual([]);
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

/** What hinders people seriously or wholly, with where it stands. Only the colours differ in the dark. */
async function violations(scheme: 'light' | 'dark'): Promise<string[]> {
  // Run by the debugger's protocol, because the page's own policy allows no script but its files.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe);
  const rules = { resultTypes: ['violations'], ...(scheme === 'dark' && { runOnly: ['color-contrast'] }) };
  const found = await page.evaluate<readonly Violation[]>(
    `axe.run(${JSON.stringify(rules)}).then(({ violations }) => violations)`,
  );
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')} ${failureSummary}`),
    );
}

type Violation = {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[];
};

function withIds(path: string): string {
  if (!path.includes(':')) return path;
  const id = shop.ids[path];
  if (id === undefined) throw new Error(`Name an id for ${path} in support/coffee-shop.ts.`);
  return path.replace(/:\w+/, id);
}

function picture(path: string, kind: string): string {
  const name = path.replaceAll(/[/:]+/g, '-').replace(/^-/, '') || 'overview';
  return `${screenshots}/${name}.${kind}.png`;
}
