// The look of widgets: narrow and wide, light and dark, in each language, for everybody.
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../../console/support/browser.ts';
import { COLOURS, violations } from '../../console/support/looking.ts';
import { sharedService } from '../../support/service.ts';
import { cuttable } from './cuttable.ts';
import { elements } from './elements.ts';
import { newGuest, newWidgetGame } from './game.ts';
import { type Visit, visitShop, type World } from './guest.ts';

const screenshots =
  process.env['LAUREL_SCREENSHOTS'] ?? fileURLToPath(new URL('../../../dist/screenshots/widgets', import.meta.url));
const { names } = elements();

let world: World;
let accountId: string;
let guest: Visit;
beforeAll(async () => {
  mkdirSync(screenshots, { recursive: true });
  const [service, browser] = await Promise.all([sharedService(), launchBrowser()]);
  world = { service, browser, network: await cuttable(service.baseUrl) };
  await newWidgetGame(service);
  for (const visits of [6, 5, 3, 2]) await newGuest(service, { visits });
  accountId = await newGuest(service, { visits: 4, points: 1234.5 });
});
afterAll(async () => {
  await world.network.close();
  await world.browser.close();
  await world.service.close();
});
afterEach(() => guest.end());

const FORMS = [
  { name: 'light', lang: 'en', text: 'points', width: 800, colorScheme: 'light' },
  { name: 'dark', lang: 'en', text: 'points', width: 800, colorScheme: 'dark' },
  { name: 'phone', lang: 'en', text: 'points', width: 320, colorScheme: 'light' },
  { name: 'phone-dark', lang: 'en', text: 'points', width: 320, colorScheme: 'dark' },
  { name: 'spanish', lang: 'es', text: 'puntos', width: 320, colorScheme: 'light' },
  { name: 'arabic', lang: 'ar', text: 'النقاط', width: 320, colorScheme: 'light' },
  { name: 'arabic-dark', lang: 'ar', text: 'النقاط', width: 800, colorScheme: 'dark' },
] as const;

test.each(FORMS)('$name: it fits, is in its language, and hinders nobody', async (form) => {
  const { name, lang, text, width, colorScheme } = form;
  guest = await visitShop(world, { accountId, elements: names, lang, browser: { viewport: { width, height: 900 } } });
  const { page, shows, faults } = guest;
  await page.emulateMedia({ colorScheme });
  await shows('laurel-points', text);
  for (const element of names) await page.locator(element).locator('section:not([aria-busy])').waitFor();
  await page.locator('laurel-chests summary').click();
  const direction = await page.locator('laurel-points section').evaluate((node) => getComputedStyle(node).direction);
  await page.screenshot({ path: `${screenshots}/${name}.png`, fullPage: true });
  expect(direction).toBe(lang === 'ar' ? 'rtl' : 'ltr');
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width);
  expect(await violations(page, name, colorScheme === 'dark' ? COLOURS : {})).toEqual([]);
  expect(faults).toEqual([]);
});

test('without the network a widget says so, in a form that everybody can read', async () => {
  guest = await visitShop(world, { accountId, elements: ['laurel-points', 'laurel-level'], lang: 'es' });
  const { page, shows } = guest;
  await shows('laurel-points', 'puntos');
  await shows('laurel-level', 'Silver');
  world.network.cut();
  await page.evaluate(`document.querySelectorAll('laurel-points, laurel-level').forEach((each) => each.refresh())`);
  await shows('laurel-level', /Sin conexión/);
  await page.setViewportSize({ width: 320, height: 500 });
  await page.screenshot({ path: `${screenshots}/offline.png`, fullPage: true });
  expect(await violations(page, 'offline')).toEqual([]);
  world.network.mend();
});

test('nothing moves for guests who prefer it, and the way to a level is told in words', async () => {
  guest = await visitShop(world, { accountId, elements: ['laurel-level'], browser: { reducedMotion: 'reduce' } });
  const bar = guest.page.locator('laurel-level').getByRole('progressbar');
  expect(await bar.getAttribute('aria-valuetext')).toBe('\u206825%\u2069 of the way to \u2068Gold\u2069');
  expect(await bar.locator('i').evaluate((node) => getComputedStyle(node).transitionDuration)).toBe('0s');
});

test('a page without a scheme has light widgets for every guest, and an element may choose its own', async () => {
  guest = await visitShop(world, { accountId, elements: ['laurel-points'], browser: { colorScheme: 'dark' } });
  const { page } = guest;
  await page.emulateMedia({ colorScheme: 'dark' });
  const background = () =>
    page.locator('laurel-points section').evaluate((node) => getComputedStyle(node).backgroundColor);
  const dark = await background();
  await page.addStyleTag({ content: ':root { color-scheme: normal !important }' });
  expect(await background()).toBe('rgb(255, 255, 255)');
  await page.locator('laurel-points').evaluate((node) => node.setAttribute('scheme', 'dark'));
  expect(await background()).toBe(dark);
});
