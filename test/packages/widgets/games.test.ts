// Widgets of games: missions, streaks, leaderboards and chests, in a browser.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../../console/support/browser.ts';
import { switchOn } from '../../operations/changes/feed.ts';
import { ok } from '../../support/administration.ts';
import { startService } from '../../support/service.ts';
import { cuttable } from './cuttable.ts';
import { newGuest, newWidgetGame, visit } from './game.ts';
import { type Visit, visitShop, type VisitOptions, type World } from './guest.ts';

let world: World;
let guest: Visit;
beforeAll(async () => {
  const [service, browser] = await Promise.all([startService({ journal: 'byOperation' }), launchBrowser()]);
  world = { service, browser, network: await cuttable(service.baseUrl) };
  await switchOn(service);
  await newWidgetGame(service);
});
afterAll(async () => {
  await world.network.close();
  await world.browser.close();
  await world.service.close();
});
afterEach(() => guest.end());

async function open(element: string, accountId: string, options: Partial<VisitOptions> = {}): Promise<Visit> {
  guest = await visitShop(world, { accountId, elements: [element], ...options });
  return guest;
}

/** As a page does that knows of an event first. */
const refresh = (element: string) => guest.page.evaluate(`document.querySelector('${element}').refresh()`);

test('a mission has its progress and rewards, and the page that sent an event shows it at once', async () => {
  const accountId = await newGuest(world.service, { visits: 1 });
  const { shows, page, faults } = await open('laurel-missions', accountId);
  await shows('laurel-missions', '1 of 5');
  await shows('laurel-missions', 'Ten points');
  await visit(world.service, accountId);
  await refresh('laurel-missions');
  await shows('laurel-missions', '2 of 5');
  const bar = page.getByRole('progressbar', { name: 'Five visits' });
  expect([await bar.getAttribute('aria-valuenow'), await bar.getAttribute('aria-valuetext')]).toEqual(['40', '2 of 5']);
  expect(faults).toEqual([]);
});

test('a mission moves a moment after an event of another device, long before the next look', async () => {
  const accountId = await newGuest(world.service, { visits: 1 });
  const { shows, page } = await open('laurel-missions', accountId);
  await shows('laurel-missions', '1 of 5');
  await visit(world.service, accountId);
  const bar = page.getByRole('progressbar', { name: 'Five visits' });
  await expect.poll(() => bar.getAttribute('aria-valuetext'), { timeout: 8_000 }).toBe('2 of 5');
});

test('a streak has its run, its longest one and the next milestone', async () => {
  const accountId = await newGuest(world.service, {});
  const { shows } = await open('laurel-streak', accountId);
  await shows('laurel-streak', '0 days in a row');
  await visit(world.service, accountId);
  await refresh('laurel-streak');
  await shows('laurel-streak', '1 day in a row');
  await shows('laurel-streak', 'Done for today');
  await shows('laurel-streak', 'Longest: 1');
  await shows('laurel-streak', 'At 3 in a row');
});

test('a leaderboard has the best, a gap, and the entries around the account, with no id of others', async () => {
  for (let visits = 7; visits > 1; visits -= 1) await newGuest(world.service, { visits });
  const { page, shows } = await open('laurel-leaderboard', await newGuest(world.service, { visits: 1 }));
  await shows('laurel-leaderboard', 'You');
  await shows('laurel-leaderboard', 'Most visits');
  const rows = await page.locator('laurel-leaderboard tbody tr').allTextContents();
  expect(rows.slice(0, 4).at(-1)).toBe('⋯');
  expect(rows.at(-1)).toMatch(/^\d+You1$/);
  await guest.end();
  await open('laurel-leaderboard', await newGuest(world.service, {}));
  await guest.shows('laurel-leaderboard', 'You have no rank yet.');
});

describe('a chest', () => {
  const withChest = () => newGuest(world.service, { visits: 1 });
  const press = async () => {
    const button = guest.page.getByRole('button', { name: 'Open Daily chest' });
    await button.focus();
    await guest.page.keyboard.press('Enter');
  };

  test('shows its chances, is opened by keyboard, and what was in it is announced and focused', async () => {
    const { shows, page } = await open('laurel-chests', await withChest(), { permissions: ['READ', 'OPEN'] });
    await shows('laurel-chests', 'Daily chest');
    await page.locator('laurel-chests summary').click();
    await shows('laurel-chests', '100%');
    await press();
    await shows('laurel-chests', /you got .*Twenty-five points/);
    await shows('laurel-chests', 'There is no chest to open');
    const result = page.locator('laurel-chests').getByRole('status').first();
    expect(await result.evaluate((node) => node === (node.getRootNode() as ShadowRoot).activeElement)).toBe(true);
    // The next guest at the same screen does not learn what was in it.
    const wanted = { accountId: await newGuest(world.service), permissions: ['READ'], origins: [guest.shop.url] };
    const { token } = await ok(world.service.rest('POST', '/v1/account-tokens', wanted));
    const list = page.waitForResponse((answer) => answer.url().endsWith('/gamification/chests/account/me'));
    await page.evaluate(`Laurel.connect({ token: () => '${token}' })`);
    await list;
    await shows('laurel-chests', 'There is no chest to open');
    expect(await page.locator('laurel-chests [part=result]').textContent()).toBe('');
  });

  test('whose opening got no answer is opened once by another attempt', async () => {
    const accountId = await withChest();
    const { shows, page } = await open('laurel-chests', accountId, { permissions: ['READ', 'OPEN'] });
    await shows('laurel-chests', 'Daily chest');
    await page.route(
      '**/open',
      async (route) => {
        if (route.request().method() === 'POST') await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await press();
    await shows('laurel-chests', 'There was no answer. Try again.');
    await press();
    await shows('laurel-chests', /you got .*Twenty-five points/);
    const { body } = await world.service.rest('GET', `/loyalty/accounts/${accountId}/points`);
    expect(body.available).toBe(25);
  });

  test('whose opening fails when the page has another account neither hinders that account nor tells it', async () => {
    const { shows, page } = await open('laurel-chests', await withChest(), { permissions: ['READ', 'OPEN'] });
    await shows('laurel-chests', 'Daily chest');
    let lose = (): void => undefined;
    const lost = new Promise<void>((resolve) => (lose = resolve));
    await page.route('**/open', (route) => lost.then(() => route.abort()), { times: 1 });
    await press();
    await page.getByRole('button', { name: 'One moment … Daily chest' }).waitFor();
    const wanted = { accountId: await withChest(), permissions: ['READ', 'OPEN'], origins: [guest.shop.url] };
    const { token } = await ok(world.service.rest('POST', '/v1/account-tokens', wanted));
    await page.evaluate(`Laurel.connect({ token: () => '${token}' })`);
    await page.getByRole('button', { name: 'Open Daily chest' }).waitFor();
    await press();
    await shows('laurel-chests', /you got .*Twenty-five points/);
    const failed = page.waitForEvent('requestfailed');
    lose();
    await failed;
    await page.evaluate('new Promise((resolve) => setTimeout(resolve))');
    expect(await page.locator('laurel-chests [part=result]').textContent()).toMatch(/you got/);
  });

  test('stays closed for a token without OPEN, in words', async () => {
    const { shows } = await open('laurel-chests', await withChest());
    await shows('laurel-chests', 'Daily chest');
    await press();
    await shows('laurel-chests', 'This is not possible now.');
  });
});
