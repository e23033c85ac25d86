import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { withIds } from './support/addresses.ts';
import { launchBrowser, newOperator, signIn, type TestBrowser } from './support/browser.ts';
import { type CoffeeShop, openCoffeeShop } from './support/coffee-shop.ts';
import {
  BUT_COLOURS,
  COLOURS,
  inScheme,
  LAPTOP,
  overflows,
  PHONE,
  photograph,
  settled,
  violations,
} from './support/looking.ts';

/** Which buttons, one after the other, open a menu or a dialog of a page; a name may be the beginning of one. */
const OPENED: readonly (readonly [address: string, ...buttons: string[]])[] = [
  ['/campaigns/:id/edit', 'Add mission'],
  ['/campaigns/:id', 'More actions'],
  ['/campaigns/:id', 'More actions', 'Duplicate'],
  ['/campaigns/:id', 'More actions', 'End'],
  ['/accounts/:id', 'Adjust points'],
  ['/accounts/:id', 'Actions'],
  ['/accounts/:id', 'Actions', 'Grant a reward'],
  ['/accounts/:id', 'Actions', 'Change audiences'],
  ['/accounts/:id', 'Actions', 'Edit the account'],
  ['/accounts/:id', 'Actions', 'Delete the account'],
  ['/accounts/:id', 'Actions', 'Erase the account'],
  ['/events', 'New event definition'],
  ['/events', 'Actions for PURCHASE'],
  ['/events', 'Actions for PURCHASE', 'Edit'],
  ['/audiences', 'New audience'],
  ['/audiences/:id', 'Edit'],
  ['/audiences/:id', 'Add accounts'],
  ['/webhooks', 'Edit: Rewards delivered'],
  ['/webhooks', 'Set up: Stock low'],
  ['/dead-triggers', 'Actions for PURCHASE', 'Details'],
  ['/dead-triggers', 'Actions for PURCHASE', 'Discard'],
  ['/keys', 'New key'],
  ['/keys', 'Actions for Till system', 'Revoke'],
  ['/users', 'New user'],
  ['/users', 'Actions for nora', 'Edit'],
  ['/users', 'Actions for nora', 'Sessions'],
  ['/clients', 'New client'],
  ['/audit', 'Changes'],
  ['/rewards', 'New reward'],
  ['/rewards', 'Actions for 50 points', 'Rename'],
  ['/products', 'New product'],
  ['/products/:id', 'Add codes'],
  ['/products/:id', 'Edit'],
  ['/marketplace', 'New publication'],
  ['/marketplace/publications/:id', 'Add units'],
  ['/marketplace/publications/:id', 'Unpublish'],
  ['/marketplace/agreements', 'New agreement'],
  ['/marketplace/agreements/:id', 'Rename'],
];

/** Milliseconds for one address; a few seconds on two quiet cores. */
const BUSY = 60_000;

let service: TestService;
let shop: CoffeeShop;
let browser: TestBrowser;
let page: Page;
beforeAll(async () => {
  service = await startService();
  [shop, browser] = await Promise.all([openCoffeeShop(service), launchBrowser()]);
  page = await (await browser.visitor({ viewport: LAPTOP, reducedMotion: 'reduce' })).newPage();
  await signIn(page, service, await newOperator(service, 'SERVICE_ADMIN'));
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await shop?.receiver.close();
  await service?.close();
});

describe('What a page opens above itself', () => {
  it.each(OPENED)(
    '%s: %s %s can be used by everybody: light, dark, on a phone, in Spanish',
    async (...opened) => {
      const [path, ...buttons] = opened.filter((part) => part !== undefined);
      const what = [path, ...buttons].join(' ');
      const address = `${service.baseUrl}/console${withIds(path ?? '/', shop)}`;
      await page.setViewportSize(LAPTOP);
      await speak('en');
      await page.goto(address);
      await settled(page);
      const places = await openByName(buttons);
      const faults = await violations(page, 'light');
      await photograph(page, what, 'light');
      await inScheme(page, 'dark');
      faults.push(...(await violations(page, 'dark', COLOURS)));
      await photograph(page, what, 'dark');
      await inScheme(page, 'light');
      await speak('es');
      await page.setViewportSize(PHONE);
      await page.goto(address);
      await settled(page);
      await openByPlace(places);
      faults.push(...(await violations(page, 'Spanish, on a phone', BUT_COLOURS)));
      faults.push(...(await overflows(page, 'Spanish, on a phone')));
      await photograph(page, what, 'spanish');
      expect(faults).toEqual([]);
    },
    BUSY,
  );
});

/** Where a button stands among those that could be pressed, so that it is found in another language, too. */
type Place = number;

async function openByName(names: readonly string[]): Promise<Place[]> {
  const places: Place[] = [];
  for (const [depth, name] of names.entries()) {
    const pressed = buttonsAt(depth);
    await pressed.first().waitFor();
    const labels = await pressed.evaluateAll((all) =>
      all.map((button) => (button.getAttribute('aria-label') ?? button.textContent ?? '').trim()),
    );
    const place =
      labels.findIndex((label) => label === name) >= 0
        ? labels.indexOf(name)
        : labels.findIndex((label) => label.startsWith(name));
    if (place < 0) throw new Error(`There is no button ${name} among ${labels.join(', ')}.`);
    await pressed.nth(place).click();
    places.push(place);
  }
  await opened(names.length);
  return places;
}

async function openByPlace(places: readonly Place[]): Promise<void> {
  for (const [depth, place] of places.entries()) {
    await buttonsAt(depth).nth(place).click();
  }
  await opened(places.length);
}

/** The buttons of the page, and then those of the menu that one of them opened. */
function buttonsAt(depth: number): Locator {
  return depth === 0 ? page.locator('main button') : page.getByRole('menuitem');
}

/** Something stands above the page and has come to rest. */
async function opened(depth: number): Promise<void> {
  const above = page.locator(depth === 1 ? '[role=dialog], [role=menu]' : '[role=dialog]');
  await above.first().waitFor();
  await page
    .locator('[role=dialog] .mantine-Skeleton-root, [role=dialog] .mantine-Loader-root')
    .first()
    .waitFor({ state: 'detached' });
}

/** The next page that is asked for speaks this language, as if the person had chosen it in the settings. */
async function speak(language: 'en' | 'es'): Promise<void> {
  await page.evaluate(`localStorage.setItem('laurel.preferences', JSON.stringify({ language: '${language}' }))`);
}
