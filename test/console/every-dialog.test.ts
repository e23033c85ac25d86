import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { en } from '../../src/console/messages/en/index.ts';
import { es } from '../../src/console/messages/es/index.ts';
import { ok } from '../support/administration.ts';
import { sharedService, type TestService } from '../support/service.ts';
import { withIds } from './support/addresses.ts';
import { beginSession, launchBrowser, newOperator, type TestBrowser } from './support/browser.ts';
import { type CoffeeShop, openCoffeeShop } from './support/coffee-shop.ts';
import { close, dialogsInSources, type Opener, type Opening } from './support/dialogs.ts';
import {
  COLOURS,
  disorder,
  follow,
  inScheme,
  LAPTOP,
  overflows,
  PHONE,
  photograph,
  settled,
  violations,
} from './support/looking.ts';
import { alike, MADE, openers } from './support/openers.ts';

/** The page behind a dialog is left out, because the tests of all pages check it. */
const DIALOGS = '[role=dialog]';

let service: TestService;
let shop: CoffeeShop;
let browser: TestBrowser;
let english: Opening;
let spanish: Opening;
let ids: Readonly<Record<string, string>>;
beforeAll(async () => {
  service = await sharedService();
  [shop, browser] = await Promise.all([openCoffeeShop(service), launchBrowser()]);
  ids = {
    draft: shop.ids['/campaigns/:id/edit'] ?? '',
    draftBoard: shop.ids['/leaderboards/draft'] ?? '',
    soldOut: await makeWaiting(),
    counted: (await ok(service.rest('POST', '/admin/products', { name: 'Poster', stockMode: 'COUNTED', stock: 5 }))).id,
  };
  [english, spanish] = await Promise.all([
    signedIn({ viewport: LAPTOP }, en),
    signedIn({ viewport: PHONE, locale: 'es-CO' }, es),
  ]);
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await shop?.receiver.close();
  await service?.close();
});

it('No dialog of the console is forgotten here: as many are opened as the sources show', () => {
  const counted: Record<string, number> = Object.fromEntries(
    Object.entries(alike).map(([file, [count]]) => [file, count]),
  );
  for (const { file } of openers) counted[file] = (counted[file] ?? 0) + 1;
  expect(dialogsInSources()).toEqual(counted);
});

describe('Every dialog of the console', () => {
  it.each(openers.map((opener) => [nameOf(opener), opener] as const))(
    '%s can be used by everybody: light, dark, on a phone, in Spanish',
    async (name, opener) => {
      const inEnglish = faultsInEnglish(name, opener);
      if (opener.alone) await inEnglish;
      const faults = await Promise.all([inEnglish, faultsInSpanish(name, opener)]);
      expect(faults.flat()).toEqual([]);
    },
    60_000,
  );
});

/** On a laptop in both schemes, and without content beyond a phone's screen. Axe's check on a phone runs in Spanish. */
async function faultsInEnglish(name: string, opener: Opener): Promise<string[]> {
  const { page } = english;
  await show(english, opener);
  const faults = [...(await violations(page, 'light', {}, DIALOGS)), ...(await disorder(page, 'light'))];
  await photograph(page, `dialog ${name}`, 'light');
  await inScheme(page, 'dark');
  faults.push(...(await violations(page, 'dark', COLOURS, DIALOGS)));
  await photograph(page, `dialog ${name}`, 'dark');
  await inScheme(page, 'light');
  await page.setViewportSize(PHONE);
  faults.push(...(await overflows(page, 'phone')));
  await photograph(page, `dialog ${name}`, 'phone');
  await page.setViewportSize(LAPTOP);
  await close(english);
  return faults;
}

async function faultsInSpanish(name: string, opener: Opener): Promise<string[]> {
  const { page } = spanish;
  await show(spanish, opener);
  const faults = [...(await violations(page, 'Spanish', {}, DIALOGS)), ...(await overflows(page, 'Spanish'))];
  await photograph(page, `dialog ${name}`, 'spanish');
  await close(spanish);
  return faults;
}

/** Opens a dialog; does not load its page again if it is already open. */
async function show(at: Opening, { path, open, alone = false }: Opener): Promise<void> {
  const address = new URL(`${service.baseUrl}/console${addressOf(path)}`);
  const present = new URL(at.page.url());
  const isThere =
    present.pathname === address.pathname && present.searchParams.get('tab') === address.searchParams.get('tab');
  if (alone || (await at.page.getByRole('dialog').count()) > 0) await at.page.goto(address.href);
  else if (!isThere) await follow(at.page, address.href);
  await settled(at.page);
  await open(at);
  // A dialog has its name a moment later than its frame.
  await at.page.getByRole('dialog', { name: /\S/ }).first().waitFor();
  await at.page
    .locator('[role=dialog] .mantine-Skeleton-root, [role=dialog] .mantine-Loader-root')
    .first()
    .waitFor({ state: 'detached' });
}

function addressOf(path: string): string {
  const named = path.replace(/:(draft|soldOut|counted|draftBoard)$/, (_all, name: string) => ids[name] ?? '');
  return withIds(named, { ...shop, ids: { ...shop.ids, '/accounts/:id?tab=chests': shop.ids['/accounts/:id'] ?? '' } });
}

function nameOf({ file, which = '' }: Opener): string {
  return `${file.replace(/^pages\/|\.tsx$/g, '')} ${which}`.trim();
}

/**
 * A product without units, for which a reward waits, a closed chest, and a merged account.
 * @returns the product's id
 */
async function makeWaiting(): Promise<string> {
  const post = (path: string, body: object) => ok(service.rest('POST', path, body));
  const product = await post('/admin/products', { name: MADE.soldOut, stockMode: 'COUNTED', stock: 0 });
  const mug = await post('/admin/rewards', { name: 'Gold mug', type: 'PRODUCTS', amount: 1, productId: product.id });
  const chest = await post('/admin/rewards', {
    name: 'Another surprise',
    type: 'CHEST',
    amount: 1,
    chestId: shop.ids['/rewards/chests/:id'],
  });
  const grant = `/admin/accounts/${shop.ids['/accounts/:id']}/rewards/grant`;
  for (const { id } of [mug, chest]) {
    await post(grant, { rewardId: id, reason: 'For the tests.', operationId: crypto.randomUUID() });
  }
  const guest = await post('/accounts', { externalId: 'guest-before-sign-up' });
  await post(`/accounts/${guest.id}/merge`, { intoAccountId: shop.ids['/accounts/:id'], progress: 'MAX' });
  return product.id;
}

async function signedIn(of: Parameters<TestBrowser['visitor']>[0], m: Opening['m']): Promise<Opening> {
  const visitor = await browser.visitor({ reducedMotion: 'reduce', ...of });
  const page: Page = await visitor.newPage();
  await beginSession(page, service, await newOperator(service, 'SERVICE_ADMIN'));
  // Unsaved work of a failed test must not block the next ones.
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto(`${service.baseUrl}/console/`);
  await page.getByRole('button', { name: m.shell.userMenu }).waitFor();
  return { page, m };
}
