// Claims in `<laurel-missions>`, in a browser: once, whatever happens to the click and to the answer.
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchBrowser } from '../../console/support/browser.ts';
import { COLOURS, violations } from '../../console/support/looking.ts';
import { newGame } from '../../support/game.ts';
import { ok } from '../../support/administration.ts';
import { sharedService } from '../../support/service.ts';
import { cuttable } from './cuttable.ts';
import { type Visit, visitShop, type VisitOptions, type World } from './guest.ts';

const screenshots =
  process.env['LAUREL_SCREENSHOTS'] ?? fileURLToPath(new URL('../../../dist/screenshots/widgets', import.meta.url));
const NAME = 'Spring weeks';

let world: World;
let guest: Visit;
let campaignId: string;
beforeAll(async () => {
  mkdirSync(screenshots, { recursive: true });
  const [service, browser] = await Promise.all([sharedService(), launchBrowser()]);
  world = { service, browser, network: await cuttable(service.baseUrl) };
  const campaign = { name: NAME, claimPolicy: 'EXPLICIT' };
  const product = await ok(service.rest('POST', '/admin/products', { name: 'Mug', stockMode: 'COUNTED', stock: 0 }));
  const rewards = [
    { name: 'Ten points', type: 'POINTS', amount: 10 },
    { name: 'A mug', type: 'PRODUCTS', amount: 1, productId: product.id },
  ];
  ({ campaignId } = await newGame(service, { campaign, rewards }));
});
afterAll(async () => {
  await world.network.close();
  await world.browser.close();
  await world.service.close();
});

let accountId: string;
/** The operation ids of the claims that the page has sent. */
let sent: string[];
beforeEach(async () => {
  ({ id: accountId } = await ok(world.service.rest('POST', '/accounts', { externalId: crypto.randomUUID() })));
  await ok(world.service.rest('POST', '/gamification/triggers', { programmaticCode: 'LOGIN', accountId }));
});
afterEach(() => guest.end());

async function open(options: Partial<VisitOptions> = {}): Promise<void> {
  const permissions = ['READ', 'CLAIM'];
  guest = await visitShop(world, { accountId, elements: ['laurel-missions'], permissions, ...options });
  await guest.shows('laurel-missions', NAME);
  sent = [];
  guest.page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/claim')) sent.push(request.postDataJSON().operationId);
  });
}

const button = () => guest.page.getByRole('button', { name: `Claim ${NAME}` });
/** Takes the place of the network for claims. */
const onClaims = (handler: (route: Route) => Promise<void>, times?: number) =>
  guest.page.route('**/claim', handler, { times });
const points = async () => (await world.service.rest('GET', `/loyalty/accounts/${accountId}/points`)).body.available;
const result = () => guest.page.locator('laurel-missions [part=result]');
const isFocused = (node: Element) => node === (node.getRootNode() as ShadowRoot).activeElement;

test('a campaign is claimed by keyboard, and what it gave is announced and focused', async () => {
  await open();
  await guest.shows('laurel-missions', 'Ten points');
  expect(await violations(guest.page, 'claim')).toEqual([]);
  await button().focus();
  await guest.page.keyboard.press('Enter');
  await guest.shows('laurel-missions', /you got .*Ten points.*\. To follow: .*A mug/);
  await guest.shows('laurel-missions', 'There is nothing to do now');
  expect(await result().getAttribute('role')).toBe('status');
  await expect.poll(() => result().evaluate(isFocused)).toBe(true);
  expect([await points(), sent.length, guest.faults]).toEqual([10, 1, []]);
});

test.each(['es', 'ar'])('on the smallest phone in the dark, in %s, it fits and can be read', async (lang) => {
  await open({ lang, browser: { viewport: { width: 320, height: 700 } } });
  const { page } = guest;
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.screenshot({ path: `${screenshots}/claim-${lang}.png`, fullPage: true });
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(320);
  expect(await violations(page, lang, COLOURS)).toEqual([]);
});

test('two clicks are one claim, and the button is busy until there is an answer', async () => {
  await open();
  let answer = (): void => undefined;
  const asked = new Promise<void>((resolve) => (answer = resolve));
  await onClaims(async (route) => {
    await asked;
    await route.continue();
  });
  await button().dblclick();
  const busy = guest.page.getByRole('button', { name: `One moment … ${NAME}` });
  await busy.waitFor();
  expect(await busy.getAttribute('aria-disabled')).toBe('true');
  expect(await busy.evaluate(isFocused)).toBe(true);
  await guest.page.keyboard.press('Enter');
  answer();
  await guest.shows('laurel-missions', /you got/);
  expect([await points(), sent.length]).toEqual([10, 1]);
});

test('a claim without an answer is the same claim again, and the account gets the rewards once', async () => {
  await open();
  await onClaims(async (route) => {
    await route.fetch();
    await route.abort();
  }, 1);
  await button().click();
  await guest.shows('laurel-missions', 'There was no answer. Try again.');
  expect(await button().evaluate(isFocused)).toBe(true);
  await button().click();
  await guest.shows('laurel-missions', /you got .*Ten points/);
  expect(sent).toEqual([sent[0], sent[0]]);
  expect(await points()).toBe(10);
});

test('a claim without an answer that had arrived is told with the next look at the account', async () => {
  await open();
  await onClaims(async (route) => {
    await route.fetch();
    await route.abort();
  });
  await button().click();
  await guest.shows('laurel-missions', 'There was no answer. Try again.');
  await guest.page.evaluate(`document.querySelector('laurel-missions').refresh()`);
  await guest.shows('laurel-missions', /Spring weeks.* is claimed/);
  expect(await points()).toBe(10);
});

test('a refused claim is a sentence, and another attempt is another operation', async () => {
  await open();
  await ok(world.service.rest('POST', `/admin/campaigns/${campaignId}/pause`));
  await button().click();
  await guest.shows('laurel-missions', 'This is not possible now.');
  await ok(world.service.rest('POST', `/admin/campaigns/${campaignId}/activate`));
  await guest.page.evaluate(`document.querySelector('laurel-missions').refresh()`);
  await button().click();
  await guest.shows('laurel-missions', /you got .*Ten points/);
  expect(new Set(sent).size).toBe(2);
  expect(await points()).toBe(10);
});

test('without the permission there is a hint and no button', async () => {
  await open({ permissions: ['READ'] });
  await guest.shows('laurel-missions', 'The rewards wait to be claimed');
  expect(await guest.page.locator('laurel-missions button').count()).toBe(0);
});

test('the next guest at the same screen does not learn what the one before has claimed', async () => {
  await open();
  await button().click();
  await guest.shows('laurel-missions', /you got/);
  const { id } = await ok(world.service.rest('POST', '/accounts', { externalId: crypto.randomUUID() }));
  const wanted = { accountId: id, permissions: ['READ'], origins: [guest.shop.url] };
  const { token } = await ok(world.service.rest('POST', '/v1/account-tokens', wanted));
  await guest.page.evaluate(`Laurel.connect({ token: () => '${token}' })`);
  await guest.shows('laurel-missions', 'Mission 1');
  expect(await result().textContent()).toBe('');
});
