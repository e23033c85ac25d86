// Widgets in a browser, in pages of another origin: live, without a network, with tokens that end.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchBrowser } from '../../console/support/browser.ts';
import { switchOn } from '../../operations/changes/feed.ts';
import { ok } from '../../support/administration.ts';
import { startService } from '../../support/service.ts';
import { cuttable } from './cuttable.ts';
import { elements } from './elements.ts';
import { givePoints, newGuest, newWidgetGame, visit } from './game.ts';
import { type Visit, visitShop, type VisitOptions, type World } from './guest.ts';

const { names } = elements();

let world: World;
/** Milliseconds by which the service's clock is ahead. */
let ahead = 0;
beforeAll(async () => {
  const clock = () => new Date(Date.now() + ahead);
  const [service, browser] = await Promise.all([startService({ clock }), launchBrowser()]);
  world = { service, browser, network: await cuttable(service.baseUrl) };
  await newWidgetGame(service);
  await switchOn(service);
});
afterAll(async () => {
  await world.network.close();
  await world.browser.close();
  await world.service.close();
});

let accountId: string;
let guest: Visit;
beforeEach(async () => {
  ahead = 0;
  world.network.mend();
  accountId = await newGuest(world.service, { visits: 4, points: 120 });
});
afterEach(() => guest.end());

async function open(options: Partial<VisitOptions> = {}): Promise<Visit> {
  guest = await visitShop(world, { accountId, elements: names, ...options });
  return guest;
}

/** Waits until no widget says anything about the network. */
const isQuiet = ({ status }: Visit) =>
  expect.poll(async () => (await Promise.all(names.map(status))).join(''), { timeout: 20_000 }).toBe('');

test('a change of the account is shown as it happens, without another look at the page', async () => {
  const { shows, shop, faults } = await open();
  await shows('laurel-points', '120');
  await shows('laurel-level', 'Silver');
  await shows('laurel-badges', 'Regular guest');
  await givePoints(world.service, accountId, 5);
  await shows('laurel-points', '125');
  for (let at = 0; at < 6; at += 1) await visit(world.service, accountId);
  await shows('laurel-level', 'The highest level');
  expect(shop.tokens).toHaveLength(1);
  expect(faults).toEqual([]);
});

test('without the network the last state stays and is called so, and the present one follows', async () => {
  const { shows, faults } = await open();
  await shows('laurel-points', '120');
  await shows('laurel-level', 'Silver');
  world.network.cut();
  await shows('laurel-points', /No connection/);
  await shows('laurel-points', '120');
  await shows('laurel-level', 'Silver');
  await givePoints(world.service, accountId, 30);
  world.network.mend();
  await shows('laurel-points', '150');
  await isQuiet(guest);
  expect(faults).toEqual([]);
});

test('a page that begins without the network says so, and shows the account when it is there', async () => {
  const { page, shows, faults } = await open({ begins: false });
  world.network.cut();
  await page.evaluate('begin()');
  await shows('laurel-level', /Nothing is known yet/);
  world.network.mend();
  await shows('laurel-level', 'Silver');
  await isQuiet(guest);
  expect(faults).toEqual([]);
});

test('a minute without the network is calm: few calls, a line in each widget, and the present state after it', async () => {
  const { page, status, shows, errors, faults } = await open({ hasClock: true });
  await shows('laurel-points', '120');
  for (const element of names) await page.locator(element).locator('section:not([aria-busy])').waitFor();
  // The beginning of the stream is followed by another look at everything.
  await page.clock.runFor(1_000);
  await page.waitForTimeout(1_000);
  const calls: string[] = [];
  page.on('request', (request) => calls.push(request.url()));
  const earlier = errors.length;
  await page.context().setOffline(true);
  for (let second = 0; second < 60; second += 1) await page.clock.runFor(1_000);
  // The stream looks for the network for all widgets, less and less often: 4 to 8 times. Without its care there are some twenty calls.
  expect(new Set(calls.map((call) => new URL(call).pathname))).toEqual(new Set(['/v1/accounts/me/stream']));
  expect(calls.length).toBeGreaterThanOrEqual(4);
  expect(calls.length).toBeLessThanOrEqual(8);
  const calm = 'No connection. This is the last known state.';
  expect(await Promise.all(names.map(status))).toEqual(names.map(() => calm));
  await shows('laurel-points', '120');
  await givePoints(world.service, accountId, 30);
  await visit(world.service, accountId);
  await page.context().setOffline(false);
  // Thirty points of an operator, and ten for five visits.
  await shows('laurel-points', '160');
  await shows('laurel-leaderboard', /^5$/);
  await isQuiet(guest);
  expect(errors.slice(earlier).filter((error) => !error.includes('net::ERR_'))).toEqual([]);
  expect(faults).toEqual([]);
});

test('a token that has ended is followed by the next one, and nobody notices', async () => {
  const { shows, status, shop, faults } = await open();
  await shows('laurel-points', '120');
  ahead = 2 * 3_600_000;
  await expect.poll(() => shop.tokens.length, { timeout: 20_000 }).toBe(2);
  await givePoints(world.service, accountId, 7);
  await shows('laurel-points', '127');
  expect(await status('laurel-points')).toBe('');
  expect(faults).toEqual([]);
});

test('a token that may not read is a sentence for the guest, and a code for the developer', async () => {
  const { shows, errors, faults } = await open({ permissions: ['CLAIM'] });
  await shows('laurel-points', 'This cannot be shown now.');
  expect(errors.join('\n')).toContain('FORBIDDEN');
  expect(faults).toEqual([]);
});

test('texts are never HTML, and a page that signs in another guest shows the other account', async () => {
  const settings = `texts: { en: { pointsTitle: '<b>Stars</b>' } }`;
  const { shows, page, shop } = await open({ elements: ['laurel-points'], settings });
  await shows('laurel-points', '<b>Stars</b>');
  await shows('laurel-points', '120');
  const other = await newGuest(world.service, { points: 3 });
  const wanted = { accountId: other, permissions: ['READ'], origins: [shop.url] };
  const { token } = await ok(world.service.rest('POST', '/v1/account-tokens', wanted));
  await page.evaluate(`Laurel.connect({ token: () => '${token}' })`);
  await shows('laurel-points', /^3\b/);
  await shows('laurel-points', 'Points');
});

test('a page that nobody looks at for a minute has no stream, and shows what happened when the guest is back', async () => {
  const { page, shows } = await open({ hasClock: true });
  let streams = 0;
  page.on('request', (request) => (streams += Number(request.url().endsWith('/stream') && request.method() === 'GET')));
  await shows('laurel-points', '120');
  const look = (isHidden: boolean) =>
    page.evaluate(`{
      Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }`);
  const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/stream'));
  await look(true);
  await page.clock.fastForward(61_000);
  await ended;
  const before = streams;
  await givePoints(world.service, accountId, 5);
  for (let minutes = 0; minutes < 5; minutes += 1) await page.clock.fastForward(60_000);
  expect(streams).toBe(before);
  await shows('laurel-points', '120');
  await look(false);
  await shows('laurel-points', '125');
});

test('a stream that has become silent is replaced, though its connection never ended', async () => {
  const { page, shows, status } = await open({ hasClock: true });
  await shows('laurel-points', '120');
  const again = page.waitForRequest((request) => request.url().endsWith('/stream') && request.method() === 'GET');
  await page.clock.fastForward(76_000);
  await page.clock.fastForward(3_000);
  await again;
  await givePoints(world.service, accountId, 5);
  await shows('laurel-points', '125');
  expect(await status('laurel-points')).toBe('');
});

test('where the feed of changes is off, the account is read every 30 seconds', async () => {
  await switchOff();
  const { page, shows, status } = await open({ hasClock: true, elements: ['laurel-points'] });
  await shows('laurel-points', '120');
  const refused = page.waitForResponse((answer) => answer.url().endsWith('/stream') && answer.status() === 409);
  await page.reload();
  await refused;
  await givePoints(world.service, accountId, 5);
  await page.clock.fastForward(31_000);
  await shows('laurel-points', '125');
  expect(await status('laurel-points')).toBe('');
  await switchOn(world.service);
});

/** The feed as it is for a new client. */
const switchOff = () => ok(world.service.rest('PUT', '/v1/change-feed', { keepDays: 0 }, world.service.adminToken));
