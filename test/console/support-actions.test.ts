// The support team's actions on an account's page: each describes its effect, takes a reason, and is visible at once.
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { differencesOf } from '../../src/commands/verify.ts';
import { newOffer } from '../operations/marketplace/shop.ts';
import { ok } from '../support/administration.ts';
import { startService, type TestService } from '../support/service.ts';
import { launchBrowser, newOperator, type Operator, signIn, type TestBrowser, waitForText } from './support/browser.ts';

let service: TestService;
let browser: TestBrowser;
let operator: Operator;
let visitor: BrowserContext;
let page: Page;
let account: string;

beforeAll(async () => {
  service = await startService();
  [browser, operator] = await Promise.all([launchBrowser(), newOperator(service)]);
}, 60_000);
beforeEach(async () => {
  visitor = await browser.visitor();
  page = await visitor.newPage();
  ({ id: account } = await post('/accounts', { name: 'Ada', email: 'ada@example.com' }));
});
afterEach(async () => {
  await visitor.close();
  expect(await differencesOf(service.db, service.clientId)).toEqual([]);
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

const post = (path: string, body: unknown = {}) => ok(service.rest('POST', path, body));
const get = (path: string) => ok(service.rest('GET', path));
const open = (tab = 'feed') => signIn(page, service, operator, `/accounts/${account}?tab=${tab}`);
const button = (name: string): Locator => page.getByRole('main').getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog');
const seesText = (text: string): Promise<void> => waitForText(page, text);

async function choose(action: string): Promise<void> {
  await button('Actions').click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

/** Enters the reason and submits the dialog. */
async function because(reason: string, submit: string): Promise<void> {
  await dialog().getByLabel('Reason').fill(reason);
  await dialog().getByRole('button', { name: submit, exact: true }).click();
}

/** The reasons of an operation in the audit log. */
async function reasonsOf(operation: string): Promise<string[]> {
  const rows = await service.db.unitOfWork(service.clientId, (uow) =>
    uow.query<{ note: string; actor_type: string }>(
      'select note, actor_type from audit_entry where client_id = $1 and operation = $2 order by id',
      [uow.clientId, operation],
    ),
  );
  return rows.map(({ note, actor_type: type }) => `${type} ${note}`);
}

async function newMugs(stock: number, pointsCost?: number): Promise<{ product: string; reward: string }> {
  const product = await post('/admin/products', { name: 'Mug', stockMode: 'COUNTED', stock, pointsCost });
  const body = { name: `A mug of ${stock}`, type: 'PRODUCTS', amount: 1, productId: product.id };
  return { product: product.id, reward: (await post('/admin/rewards', body)).id };
}
const grant = (rewardId: string) => post(`/admin/accounts/${account}/rewards/grant`, { rewardId, reason: 'A test.' });

describe('Support', () => {
  it('grants a reward, which is there at once, and cannot without a reason', async () => {
    await newMugs(7);
    await open('rewards');
    await choose('Grant a reward');
    await dialog().getByRole('combobox', { name: 'Reward' }).fill('A mug of 7');
    await page.getByRole('option', { name: 'A mug of 7' }).click();
    await dialog().getByRole('button', { name: 'Grant a reward', exact: true }).click();
    expect(await get(`/v1/gamification/missions/my-rewards/${account}`)).toEqual([]);
    await because('Came broken.', 'Grant a reward');
    await seesText('The account has the reward.');
    await page.getByRole('table', { name: 'Earned rewards' }).getByText('A mug of 7').waitFor();
    expect(await reasonsOf('AccountAdminService.GrantReward')).toContain('USER Came broken.');
  });

  it('cancels a waiting reward; to deliver it is not offered while units are missing', async () => {
    const { reward } = await newMugs(0);
    await grant(reward);
    await open('rewards');
    await button('Actions for this reward').click();
    const deliver = page.getByRole('menuitem', { name: /Deliver now/ });
    await deliver.getByText('1 unit is missing').waitFor();
    expect(await deliver.isDisabled()).toBe(true);
    await page.getByRole('menuitem', { name: 'Cancel the reward' }).click();
    await because('Given by hand.', 'Cancel the reward');
    await seesText('Rewards show here as soon as the account has earned one.');
    expect(await reasonsOf('RewardAdminService.CancelPendingReward')).toEqual(['USER Given by hand.']);
  });

  it('delivers a waiting reward whose units are there', async () => {
    const { reward, product } = await newMugs(0);
    await grant(reward);
    // The state in the middle of a restock with a long queue: units are in stock, and their rewards still wait.
    await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query('update product set stock = stock + 1, units_added = units_added + 1 where id = $1', [product]),
    );
    await open('rewards');
    await button('Actions for this reward').click();
    await page.getByRole('menuitem', { name: 'Deliver now' }).click();
    await because('Waited long.', 'Deliver now');
    await page.getByRole('table', { name: 'Earned rewards' }).getByText('Delivered').waitFor();
    expect(await get(`/admin/products/${product}`)).toMatchObject({ stock: 0, waiting: 0 });
  });

  it('cancels a purchase and says what returns; what was a reward has no such button', async () => {
    const { product, reward } = await newMugs(5, 4);
    await grant(reward);
    await post(`/admin/accounts/${account}/points/adjust`, { amount: 10, reason: 'A test.' });
    await post(`/loyalty/products/${product}/redeem`, { accountId: account, quantity: 2 });
    await open('redemptions');
    await button('Cancel Mug').waitFor();
    expect(await button('Cancel Mug').count()).toBe(1);
    await button('Cancel Mug').click();
    await dialog().getByText('8 points return to the account. 2 units do not go back to stock').waitFor();
    await because('Broken.', 'Cancel redemption');
    await page.getByRole('table', { name: 'Redemptions' }).getByText('Cancelled').waitFor();
    await button('Cancel Mug').waitFor({ state: 'detached' });
    expect((await get(`/loyalty/accounts/${account}/points`)).available).toBe(10);
    expect(await reasonsOf('LoyaltyAdminService.CancelRedemption')).toEqual(['USER Broken.']);
  });

  it('opens a chest and claims a campaign for the account', async () => {
    const points = await post('/admin/rewards', { name: '20 points', type: 'POINTS', amount: 20 });
    const entries = [{ rewardId: points.id, weight: 1 }];
    const { id: chestId } = await post('/admin/chests', { name: 'Oak box', entries });
    const box = await post('/admin/rewards', { name: 'A box', type: 'CHEST', amount: 1, chestId });
    await post('/admin/event-definitions', { programmaticCode: 'VISIT', type: 'SINGLE' });
    const everyone = await post('/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' });
    const { id } = await post('/admin/campaigns', {
      name: 'Spring',
      claimPolicy: 'EXPLICIT',
      audienceIds: [everyone.id],
      rewardIds: [box.id],
      missions: [{ type: 'MISSION', name: 'Come', programmaticCode: 'VISIT', target: 1 }],
    });
    await post(`/admin/campaigns/${id}/activate`);
    await post('/gamification/triggers', { programmaticCode: 'VISIT', accountId: account });
    await open();
    await button('Claim Spring').click();
    await because('Could not press it.', 'Claim');
    await seesText('The campaign is claimed.');
    await button('Claim Spring').waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Chests and fragments' }).click();
    await button('Open Oak box').click();
    await because('Could not open it.', 'Open');
    await seesText('The chest is opened.');
    await button('Open Oak box').waitFor({ state: 'detached' });
    expect((await get(`/loyalty/accounts/${account}/points`)).available).toBe(20);
    expect(await reasonsOf('AccountAdminService.OpenChestForAccount')).toEqual(['USER Could not open it.']);
  });

  it('releases a reservation', async () => {
    const publicationId = await newOffer(service);
    await post('/marketplace/publications/freeze', { publicationId, accountId: account, quantity: 3 });
    await open('reservations');
    await button('Actions for the reservation').click();
    await page.getByRole('menuitem', { name: 'Give back' }).click();
    await dialog().getByText('Give 3 units back?').waitFor();
    await because('Changed their mind.', 'Give back');
    await button('Actions for the reservation').waitFor({ state: 'detached' });
    expect((await get(`/admin/publications/${publicationId}`)).availableStock).toBe(10);
    expect(await reasonsOf('AccountAdminService.ReleaseReservation')).toEqual(['USER Changed their mind.']);
  });

  it('edits the account and its audiences; what is emptied is cleared', async () => {
    await post('/admin/audiences', { name: 'Regulars', kind: 'MANUAL' });
    await open();
    await choose('Edit the account');
    await dialog().getByLabel('Name', { exact: true }).fill('Grace');
    await dialog().getByLabel('E-mail').fill('');
    await because('Married.', 'Save changes');
    await page.getByRole('heading', { name: 'Grace' }).waitFor();
    expect(await get(`/accounts/${account}`)).not.toHaveProperty('email');
    await choose('Change audiences');
    await dialog().getByRole('combobox', { name: 'Audiences' }).fill('Regulars');
    await page.getByRole('option', { name: 'Regulars' }).click();
    await dialog().getByText('Campaigns for an audience').click();
    await because('Belongs there.', 'Save changes');
    await seesText('The audiences are changed.');
    const audiences = await get(`/admin/accounts/${account}/audiences`);
    expect(audiences).toContainEqual(expect.objectContaining({ name: 'Regulars' }));
    expect(await reasonsOf('AccountAdminService.ChangeAccountAudiences')).toEqual(['USER +Regulars: Belongs there.']);
  });

  /** The list is shown afterwards, and the account is gone. */
  async function isGone(note: string): Promise<void> {
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
    expect((await service.rest('GET', `/accounts/${account}`)).status).toBe(404);
    expect(await reasonsOf('AccountAdminService.RemoveAccount')).toContain(`USER ${note}: Asked for it.`);
  }

  it('deletes the account', async () => {
    await open();
    await choose('Delete the account');
    await because('Asked for it.', 'Delete the account');
    await isGone('Deleted');
  });

  it('erases the account once its id is typed', async () => {
    await open();
    await choose('Erase the account');
    await dialog().getByLabel(`Type ${account} to confirm`).fill(account);
    await because('Asked for it.', 'Erase the account');
    await isGone('Erased');
  });
});
