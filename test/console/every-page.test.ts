import { existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedService, type TestService } from '../support/service.ts';
import { accountTabs, addresses, pagesFetched, withIds } from './support/addresses.ts';
import {
  beginSession,
  launchBrowser,
  newOperator,
  type Operator,
  signIn,
  type TestBrowser,
} from './support/browser.ts';
import { type CoffeeShop, openCoffeeShop } from './support/coffee-shop.ts';
import {
  COLOURS,
  disorder,
  follow,
  inScheme,
  jumps,
  LAPTOP,
  overflows,
  PHONE,
  photograph,
  settled,
  SMALL_PHONE,
  violations,
} from './support/looking.ts';

const built = fileURLToPath(new URL('../../dist/console', import.meta.url));

/** Pages that users see as separate ones, but that have no separate route. */
const more = [...accountTabs, '/accounts?attributes.tier=GOLD', '/webhooks?tab=waiting', '/no/such/page'];

/** Milliseconds. The promise is 500 on two idle cores; the tests of other files run at the same time. */
const TYPED_WITHIN = 8_000;

/** Kilobytes, compressed by gzip: the files in `index.html`, without parts that are fetched later. */
const FIRST_PARTS_AT_MOST = 420;

/** Kilobytes with the files that the first page fetches before it accepts input: its texts and the sign-in; 397 on 2026-11-23. */
const FIRST_PAGE_AT_MOST = 420;

/** Milliseconds of delay for each answer, so that parts that depend on another answer appear in several steps. */
const SLOWLY = 80;

/** Milliseconds for one address; a few seconds on two idle cores. */
const BUSY = 60_000;

let service: TestService;
let shop: CoffeeShop;
let browser: TestBrowser;
let english: Page;
/** On a phone, with slow answers. */
let spanish: Page;
/** Errors of the pages' own code since the last page. */
const thrown: string[] = [];
beforeAll(async () => {
  service = await sharedService();
  [shop, browser] = await Promise.all([openCoffeeShop(service), launchBrowser()]);
  const operator = await newOperator(service, 'SERVICE_ADMIN');
  const visitor = await browser.visitor({ viewport: LAPTOP, reducedMotion: 'reduce' });
  english = await watched(visitor);
  await signIn(english, service, operator);
  spanish = await inSpanish(operator);
}, 60_000);
afterAll(async () => {
  await spanish?.unrouteAll({ behavior: 'ignoreErrors' });
  await browser?.close();
  await shop?.receiver.close();
  await service?.close();
});

it('No page of the console is forgotten here: what is fetched has an address that is visited', () => {
  expect(addresses).toHaveLength(pagesFetched);
  expect(new Set(addresses).size).toBe(pagesFetched);
});

describe('Every page of the console', () => {
  it.each([...addresses, ...more])(
    '%s can be used by everybody: light, dark, on a phone, in Spanish',
    // A machine that pauses for a moment can draw any page in steps. Only a repeated layout shift is a fault.
    { timeout: BUSY, retry: 1 },
    async (path) => {
      const address = `${service.baseUrl}/console${withIds(path, shop)}`;
      const faults = await Promise.all([faultsInEnglish(path, address), faultsInSpanish(path, address)]);
      expect([...faults.flat(), ...thrown.splice(0)]).toEqual([]);
    },
  );
});

describe('The first page of the console', () => {
  it(
    'can be typed into soon after it was asked for, without a cache, and weighs little',
    { retry: 2 },
    async ({ annotate }) => {
      const stranger = await browser.visitor({ viewport: LAPTOP, reducedMotion: 'reduce' });
      const page = await watched(stranger);
      await page.goto(`${service.baseUrl}/console/`, { waitUntil: 'commit' });
      await page.getByLabel('E-mail').fill('o');
      const waited = await page.evaluate<number>('performance.now()');
      const loaded = await page.evaluate<string[]>(
        `performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)`,
      );
      const files = loaded.filter((path) => path.startsWith('/console/')).map((path) => path.slice('/console/'.length));
      expect(files.filter((file) => file.endsWith('.js')).length).toBeGreaterThan(1);
      // No files of the pages behind the sign-in are loaded, not even their frame.
      expect(files.filter((file) => /\/(overview|shell)-/.test(file))).toEqual([]);
      const weight = weightOf(['index.html', ...files]);
      const named = [...readFileSync(`${built}/index.html`, 'utf8').matchAll(/assets\/[^"]+/g)].map(([file]) => file);
      const first = weightOf(['index.html', ...new Set(named)]);
      const figures = `${Math.round(first)} KB before lazy parts, ${Math.round(weight)} KB in all`;
      await annotate(`Typed into after ${Math.round(waited)} ms; ${figures}, compressed.`);
      expect(first).toBeLessThan(FIRST_PARTS_AT_MOST);
      expect(waited).toBeLessThan(TYPED_WITHIN);
      expect(weight).toBeLessThan(FIRST_PAGE_AT_MOST);
      await stranger.close();
    },
  );

  it(
    'can be used by everybody: light, dark, on a phone',
    async () => {
      const stranger = await browser.visitor({ viewport: LAPTOP, reducedMotion: 'reduce' });
      const mine = english;
      english = await watched(stranger);
      const faults = await faultsInEnglish('/sign-in', `${service.baseUrl}/console/sign-in`);
      expect([...faults, ...thrown.splice(0)]).toEqual([]);
      await stranger.close();
      english = mine;
    },
    BUSY,
  );
});

/**
 * The page after a link, as people open it: no layout shift, axe in both colour schemes, not wider than a phone. Axe's check on a phone
 * runs in Spanish.
 */
async function faultsInEnglish(path: string, address: string): Promise<string[]> {
  await english.setViewportSize(LAPTOP);
  const left = await english.evaluate<number>('performance.now()');
  await follow(english, address);
  await settled(english);
  const faults = [...(await jumps(english, 'light', left)), ...(await violations(english, 'light'))];
  faults.push(...(await disorder(english, 'light')));
  await photograph(english, path, 'light');
  await inScheme(english, 'dark');
  faults.push(...(await violations(english, 'dark', COLOURS)));
  await photograph(english, path, 'dark');
  await inScheme(english, 'light');
  await english.setViewportSize(SMALL_PHONE);
  await settled(english);
  faults.push(...(await overflows(english, 'phone')));
  await photograph(english, path, 'phone');
  return faults;
}

/** The page by its address, in Spanish on a phone, where longer words have the least room, with slow answers. */
async function faultsInSpanish(path: string, address: string): Promise<string[]> {
  await spanish.goto(address);
  await settled(spanish);
  const faults = [...(await jumps(spanish, 'Spanish, slowly')), ...(await violations(spanish, 'Spanish'))];
  await photograph(spanish, path, 'spanish');
  return [...faults, ...(await overflows(spanish, 'Spanish'))];
}

async function watched(visitor: BrowserContext): Promise<Page> {
  const page = await visitor.newPage();
  page.on('pageerror', ({ message }) => thrown.push(`threw ${message}`));
  return page;
}

async function inSpanish(operator: Operator): Promise<Page> {
  const visitor = await browser.visitor({ locale: 'es-CO', viewport: PHONE, reducedMotion: 'reduce' });
  const page = await watched(visitor);
  await beginSession(page, service, operator);
  await page.goto(`${service.baseUrl}/console/`);
  await page.getByRole('button', { name: 'Tu cuenta' }).waitFor();
  await page.route(/\/laurel\./, async (route) => {
    const answer = await route.fetch();
    await new Promise((later) => setTimeout(later, SLOWLY));
    await route.fulfill({ response: answer });
  });
  return page;
}

/** Kilobytes of files of the console. */
function weightOf(files: readonly string[]): number {
  return files.map(compressed).reduce((sum, bytes) => sum + bytes, 0) / 1_000;
}

/** Bytes of a file of the console after gzip, or unchanged if its format is already compressed. */
function compressed(file: string): number {
  const packed = `${built}/${file}.gz`;
  return statSync(existsSync(packed) ? packed : `${built}/${file}`).size;
}
