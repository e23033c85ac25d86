import { describe, expect, it } from 'vitest';
import { deliver, reward } from '../operations/rewards/provision.ts';
import { recorded } from '../support/administration.ts';
import { startReceiver } from '../operations/webhooks/receiver.ts';
import { newGame } from '../support/game.ts';
import { operatorsDesk } from './support/desk.ts';

const desk = operatorsDesk();
const { post, open, button, inDialog, seesText, main } = desk;

describe('A code', () => {
  it('is masked wherever the console shows it, distinguishable when short, and shown by a button that the audit log records', async () => {
    const product = await post('/admin/products', { name: 'Gift card', stockMode: 'CODES', pointsCost: 1 });
    await post(`/admin/products/${product.id}/codes`, { codes: ['GIFT-0001', 'QX1', 'QX2', 'GIFT-0004', 'QX5'] });
    const account = await post('/accounts', { externalId: 'collector' });
    await post(`/admin/accounts/${account.id}/points/adjust`, { amount: 10, reason: 'A start.' });
    const bought = await post(`/loyalty/products/${product.id}/redeem`, { accountId: account.id, quantity: 3 });
    const fields = {
      name: 'Gift card',
      stockMode: 'CODES',
      fragmentsRequired: undefined,
      pointsCost: undefined,
    } as const;
    const prize = reward('PRODUCTS', 2, { product: { ...fields, id: product.id } });
    await deliver(desk.service.db, desk.service.clientId, [{ accountId: account.id, reward: prize, now: new Date() }]);
    const short = bought.redeemables[1];
    const mask = `••••#${short.id.slice(-4)}`;

    await open(`/accounts/${account.id}?tab=redemptions`);
    await seesText('••••0001');
    await seesText(mask);
    expect(await main()).not.toMatch(/GIFT-|QX/);
    await button(`Show code ${mask}`).click();
    await seesText('QX1');
    await button(`Hide code ${mask}`).click();
    await desk.page.getByText('QX1').waitFor({ state: 'detached' });

    await button('Cancel Gift card').click();
    await inDialog('Cancel redemption').waitFor();
    expect(await inDialog('Cancel').count()).toBe(0);
    await inDialog('Go back').click();

    await desk.page.getByRole('tab', { name: 'Earned rewards' }).click();
    await button('Show code ••••0004').click();
    await seesText('GIFT-0004');
    expect(await main()).not.toMatch(/QX/);

    await desk.page.goto(`${desk.service.baseUrl}/console/products/${product.id}`);
    await button(`Show code ${mask}`).first().click();
    await seesText('QX1');
    expect(await main()).not.toMatch(/QX2|GIFT-/);
    const entries = await recorded(desk.service, short.id);
    expect(entries).toHaveLength(2);
    expect(JSON.stringify(entries)).not.toContain('QX1');
  });
});

describe('Stock', () => {
  it('of a product says that none is free and why, and offers nothing that needs free units', async () => {
    const product = await post('/admin/products', { name: 'Mug', stockMode: 'COUNTED', stock: 5 });
    const empty = await post('/admin/products', { name: 'Hat', stockMode: 'COUNTED' });
    await post('/admin/publications', { productId: product.id, name: 'Mugs', stock: 5 });
    const draft = await post('/admin/publications', { productId: product.id, name: 'More mugs' });
    await open('/products');
    const row = (name: string) => desk.page.getByRole('row').filter({ hasText: name });
    await row('Mug').getByText('None free').waitFor();
    await row('Hat').getByText('Out of stock').waitFor();
    await desk.page.goto(`${desk.service.baseUrl}/console/products/${product.id}`);
    await seesText('All 5 units that are left are set aside for publications');
    await desk.page.goto(`${desk.service.baseUrl}/console/marketplace/publications/${draft.id}`);
    await seesText('It has no units to sell.');
    await expect.poll(() => button('Add units').isDisabled()).toBe(true);
    expect(await button('Publish').isDisabled()).toBe(true);
    expect(empty.stock).toBe(0);
  });

  it('of a publication says what is held back and what its agreement lacks, and is withdrawn as far as nobody holds it back', async () => {
    const product = await post('/admin/products', { name: 'Ticket', stockMode: 'COUNTED', stock: 9 });
    const agreement = await post('/admin/agreements', { name: 'Theatre', stock: 4 });
    const fields = { productId: product.id, agreementId: agreement.id, name: 'Tickets', stock: 9 };
    const { id } = await post('/admin/publications', fields);
    await post(`/marketplace/publications/${id}/publish`);
    const account = await post('/accounts', { externalId: 'undecided' });
    await post('/marketplace/publications/freeze', { publicationId: id, accountId: account.id, quantity: 4 });
    await open(`/marketplace/publications/${id}`);
    await seesText('4 are held back · its agreement has none left');
    await seesText('Published, none left');
    await button('Actions for Tickets').click();
    await desk.page.getByRole('menuitem', { name: 'Withdraw units' }).click();
    const units = desk.page.getByRole('dialog').getByLabel('Units to withdraw');
    await units.fill('6');
    await inDialog('Withdraw units').click();
    await desk.page.getByRole('dialog').getByText('At most 5.').nth(1).waitFor();
    await units.fill('5');
    await inDialog('Withdraw units').click();
    await seesText('5 units are withdrawn.');
    // Above everything that has buttons at its end.
    const toast = await desk.page.locator('.mantine-Notification-root').first().boundingBox();
    expect(toast!.y).toBeLessThan(100);
    await seesText('Published, all held back');
    await button('Unpublish').click();
    await inDialog('Unpublish').click();
    await button('Publish').waitFor();
    await button('Actions for Tickets').click();
    const remove = desk.page.getByRole('menuitem', { name: 'Delete' });
    await remove.getByText('4 are held back').waitFor();
    expect(await remove.isDisabled()).toBe(true);
  });

  it('that was added after a publication was sold out makes it an unpublished one, which can be published', async () => {
    const product = await post('/admin/products', { name: 'Poster', stockMode: 'COUNTED', stock: 3 });
    const { id } = await post('/admin/publications', { productId: product.id, name: 'Posters', stock: 1 });
    await post(`/marketplace/publications/${id}/publish`);
    const account = await post('/accounts', { externalId: 'fan' });
    await post(`/marketplace/publications/redeem/${id}`, { accountId: account.id });
    await open(`/marketplace/publications/${id}`);
    await seesText('Sold out');
    expect(await button('Publish').isDisabled()).toBe(true);
    await post(`/admin/publications/${id}/stock`, { quantity: 1 });
    await desk.page.reload();
    await seesText('has units again');
    await seesText('Unpublished');
    expect(await button('Publish').isDisabled()).toBe(false);
  });
});

describe('What is said of', () => {
  it('a shortage is one matter, with what it affects beneath', async () => {
    const product = await post('/admin/products', {
      name: 'Badge tape',
      stockMode: 'COUNTED',
      stock: 0,
      lowStockThreshold: 5,
    });
    const audience = await post('/admin/audiences', { name: 'Taped', kind: 'EVERYONE' });
    const prize = await post('/admin/rewards', { name: 'Tape', type: 'PRODUCTS', amount: 1, productId: product.id });
    await post('/admin/event-definitions', { programmaticCode: 'TAPE', type: 'SINGLE' });
    const missions = [{ type: 'MISSION', name: 'Tape it', programmaticCode: 'TAPE', target: 1 }];
    const campaign = { name: 'Tape week', audienceIds: [audience.id], rewardIds: [prize.id], missions };
    const { id } = await post('/admin/campaigns', campaign);
    await post(`/admin/campaigns/${id}/activate`);
    const { id: accountId } = await post('/accounts', { externalId: 'taped' });
    await post('/gamification/triggers', { programmaticCode: 'TAPE', accountId, metadata: {}, operationId: 'tape-1' });
    await open('/');
    const matters = desk.page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem');
    const tape = matters.filter({ hasText: /Tape/ }).or(matters.filter({ hasText: /tape/ }));
    await tape.first().waitFor();
    expect(await tape.count()).toBe(1);
    const text = await tape.innerText();
    expect(text).toContain('1 reward waits for units of Badge tape');
    expect(text).toContain('The campaign Tape week gives Badge tape, which is out of stock');

    // A campaign of today has a week of bars, not a month of nothing.
    await desk.page.goto(`${desk.service.baseUrl}/console/campaigns/${id}`);
    const dayWords = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
    const daysAgo = (days: number) => dayWords.format(new Date(Date.now() - days * 86_400_000));
    const axis = async () => (await desk.page.locator('svg.recharts-surface').allTextContents()).join(' ');
    await expect.poll(axis, { timeout: 10_000 }).toContain(daysAgo(6));
    expect(await axis()).not.toContain(daysAgo(29));
    if (process.env['SHOTS']) await desk.page.screenshot({ path: `${process.env['SHOTS']}/chart.png`, fullPage: true });
    const colour = (page: string) =>
      desk.page
        .goto(`${desk.service.baseUrl}/console${page}`)
        .then(() =>
          desk.page
            .getByRole('main')
            .locator('.mantine-Badge-root', { hasText: /^Active$/ })
            .first(),
        )
        .then((badge) => badge.evaluate((element) => getComputedStyle(element).backgroundColor));
    const soon = { ...missions[0]!, target: 5 };
    const points = await post('/admin/rewards', { name: 'A point', type: 'POINTS', amount: 1 });
    const long = await post('/admin/campaigns', { ...campaign, rewardIds: [points.id], missions: [soon] });
    await post(`/admin/campaigns/${long.id}/activate`);
    await post('/gamification/triggers', { programmaticCode: 'TAPE', accountId, metadata: {}, operationId: 'tape-2' });
    expect(await colour(`/accounts/${accountId}?tab=progress`)).toBe(await colour(`/campaigns/${long.id}`));
  });

  it('a webhook that a receiver failed to take has the path, and is not called refused', async () => {
    const receiver = await startReceiver((_request, response) => response.writeHead(503).end());
    await desk.service.rest('PUT', '/webhooks/rewards', { endpoint: `${receiver.url}/hooks/rewards?key=hidden` });
    await newGame(desk.service, { missions: [{ name: 'Log in', target: 1 }] });
    const { id: accountId } = await post('/accounts', { externalId: 'hooked' });
    await post('/gamification/triggers', { programmaticCode: 'LOGIN', accountId, metadata: {}, operationId: 'hook-1' });
    await open('/webhooks?outcome=REFUSED');
    await desk.page.getByText('Receiver’s error', { exact: true }).first().waitFor();
    await seesText('/hooks/rewards');
    expect(await desk.page.getByRole('table').last().innerText()).not.toContain('key=hidden');
    await receiver.close();
  });
});

describe('What is in use', () => {
  it('is named instead of offering to archive it', async () => {
    const product = await post('/admin/products', { name: 'Scarf', stockMode: 'UNLIMITED' });
    await post('/admin/rewards', { name: 'A warm scarf', type: 'PRODUCTS', amount: 1, productId: product.id });
    await open(`/products/${product.id}`);
    await button('Actions for Scarf').click();
    await desk.page.getByRole('menuitem', { name: 'Archive' }).click();
    await desk.page.getByRole('dialog').getByText("Reward 'A warm scarf'").waitFor();
    expect(await inDialog('Archive').count()).toBe(0);
  });

  it.each([
    ['reward', '/rewards', 'Actions for Kept reward', 'Archive'],
    ['event', '/events', 'Actions for KEPT', 'Delete'],
    ['audience', '/audiences', 'Actions for Kept audience', 'Delete'],
  ])('%s: its campaign is named', async (kind, path, menu, action) => {
    const kept = await keptThings();
    await open(kind === 'audience' ? `/audiences/${kept.audience}` : path);
    await button(menu).click();
    await desk.page.getByRole('menuitem', { name: action }).click();
    await desk.page.getByRole('dialog').getByText('Kept campaign').waitFor();
    expect(await inDialog(action).count()).toBe(0);
  });

  let things: Promise<{ audience: string }> | undefined;
  function keptThings(): Promise<{ audience: string }> {
    return (things ??= (async () => {
      const audience = await post('/admin/audiences', { name: 'Kept audience', kind: 'MANUAL' });
      const prize = await post('/admin/rewards', { name: 'Kept reward', type: 'POINTS', amount: 5 });
      await post('/admin/event-definitions', { programmaticCode: 'KEPT', type: 'SINGLE' });
      const missions = [{ type: 'MISSION', name: 'Keep', programmaticCode: 'KEPT', target: 1 }];
      const campaign = { name: 'Kept campaign', audienceIds: [audience.id], rewardIds: [prize.id], missions };
      await post('/admin/campaigns', campaign);
      return { audience: audience.id };
    })());
  }
});

describe('What could not be read', () => {
  const lists = /\/ListEventDefinitions$/;

  it('again stays on the screen and says since when, with a button that reads it again', async () => {
    await post('/admin/event-definitions', { programmaticCode: 'OLD_ROW', type: 'SINGLE' });
    await open('/events');
    await desk.page.getByRole('cell', { name: 'OLD_ROW' }).first().waitFor();
    await desk.page.route(lists, (route) => route.abort());
    await button('New event definition').click();
    await desk.page.getByRole('dialog').getByLabel('Code').fill('NEW_ROW');
    await desk.page.getByRole('dialog').locator('button[type=submit]').click();
    const notice = desk.page.getByRole('status').filter({ hasText: 'Could not be refreshed since' });
    await notice.waitFor();
    expect(await notice.innerText()).toMatch(/since \d\d:\d\d\./);
    expect(await desk.page.getByRole('cell', { name: 'OLD_ROW' }).count()).toBeGreaterThan(0);
    expect(await desk.page.getByRole('cell', { name: 'NEW_ROW' }).count()).toBe(0);
    await desk.page.unroute(lists);
    await notice.getByRole('button', { name: 'Try again' }).click();
    await desk.page.getByRole('cell', { name: 'NEW_ROW' }).first().waitFor();
    await notice.waitFor({ state: 'detached' });
  });

  it('at all says so from the first failure on, never that it is loading', async () => {
    let calls = 0;
    await desk.page.route(lists, (route) => {
      calls += 1;
      return route.abort();
    });
    await open('/events');
    await desk.page.getByRole('main').getByRole('alert').waitFor();
    // The page shows the error while it still retries the call.
    expect(calls).toBeLessThan(3);
    expect(await desk.page.getByText('Loading…').count()).toBe(0);
    await desk.page.unroute(lists);
    await button('Try again').click();
    await desk.page.getByRole('cell', { name: 'OLD_ROW' }).first().waitFor();
  });

  it('of an account is shown in place of its points', async () => {
    const { id } = await post('/accounts', { externalId: 'unlucky' });
    await desk.page.route(/\/GetPoints$/, (route) => route.abort());
    await open(`/accounts/${id}`);
    await desk.page.getByRole('main').getByRole('alert').waitFor();
  });
});
