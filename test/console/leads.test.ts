import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import { ok } from '../support/administration.ts';
import { startService, type TestService } from '../support/service.ts';
import { launchBrowser, newOperator, type Operator, signIn, type TestBrowser } from './support/browser.ts';
import { type CoffeeShop, openCoffeeShop } from './support/coffee-shop.ts';

let service: TestService;
let browser: TestBrowser;
let operator: Operator;
let shop: CoffeeShop;
beforeAll(async () => {
  service = await startService();
  [browser, operator, shop] = await Promise.all([launchBrowser(), newOperator(service), openCoffeeShop(service)]);
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await shop?.receiver.close();
  await service?.close();
});

let visitor: BrowserContext;
let page: Page;
beforeEach(async () => {
  visitor = await browser.visitor();
  page = await visitor.newPage();
});
afterEach(() => visitor.close());

const id = (route: string) => shop.ids[route] ?? '';

describe('A number leads to what it counts:', () => {
  it('a step of a funnel to its accounts, one of them to its page, and below the funnel is a series', async () => {
    await signIn(page, service, operator, `/campaigns/${id('/campaigns/:id')}`);
    await page.getByRole('heading', { name: 'Day by day' }).waitFor();
    const began = page.getByRole('link', { name: /started$/ }).first();
    const count = Number((await began.innerText()).split(' ')[0]);
    expect(count).toBeGreaterThan(0);
    await began.click();
    await page.waitForURL(/\/accounts\?mission=.*step=STARTED/);
    const rows = page.getByRole('table').locator('tbody tr');
    await rows.first().getByRole('link').waitFor();
    expect(await rows.count()).toBe(count);
    await page.getByRole('button', { name: 'CSV' }).waitFor();
    await rows.first().getByRole('link').first().click();
    await page.waitForURL(/\/accounts\/[0-9a-f-]{36}\?/);
  });

  it('the rewards of the period to the events that earned them', async () => {
    await signIn(page, service, operator);
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Rewards delivered/ })
      .click();
    await page.waitForURL(/\/journal\?effect=REWARDED&from=/);
    await page.getByRole('main').getByText('Earned: 50 points').first().waitFor();
    expect(await page.getByRole('combobox', { name: 'Effect' }).inputValue()).toBe('Earned a reward');
  });

  it('a reward to who earned it', async () => {
    await signIn(page, service, operator, '/rewards');
    await page.getByRole('link', { name: '50 points' }).first().click();
    await page.waitForURL(/\/rewards\/[0-9a-f-]{36}\?/);
    await page.getByRole('heading', { name: 'Who earned it' }).waitFor();
    const row = page.getByRole('table').locator('tbody tr').first();
    await row.getByRole('link', { name: 'First coffee' }).click();
    await page.getByRole('heading', { name: 'How far accounts are' }).waitFor();
  });

  it('a product to where its units went', async () => {
    const beans = { name: 'A bag', type: 'PRODUCTS', amount: 1, productId: id('/products/:id') };
    const { id: rewardId } = await ok(service.rest('POST', '/admin/rewards', beans));
    const grant = { rewardId, reason: 'Asked for one.' };
    await ok(service.rest('POST', `/admin/accounts/${id('/accounts/:id')}/rewards/grant`, grant));
    await signIn(page, service, operator, `/products/${id('/products/:id')}`);
    await page.getByRole('heading', { name: 'Where its units went' }).waitFor();
    await page.getByRole('link', { name: 'guest-ada' }).first().click();
    await page.waitForURL(/\/accounts\/[0-9a-f-]{36}\?/);
  });

  it('a delivery to its account and its campaign', async () => {
    await signIn(page, service, operator, `/webhooks/deliveries/${id('/webhooks/deliveries/:id')}`);
    await page.getByRole('link', { name: 'First coffee' }).click();
    await page.waitForURL(/\/campaigns\/[0-9a-f-]{36}\?/);
    await page.goBack();
    await page.locator('a[href*="/accounts/"]').first().click();
    await page.waitForURL(/\/accounts\/[0-9a-f-]{36}\?/);
  });

  it('the failures of a webhook to their deliveries, which are sent again from there', async () => {
    const message = newId();
    await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query(
        `insert into webhook_delivery (client_id, id, message_id, type, attempt, method, target, body, attempted_at, duration_ms, outcome)
         values ($1, $2, $3, 'REWARDS', 1, 'POST', 'http://failed.example', '"once more"', now(), 1, 'REFUSED')`,
        [uow.clientId, newId(), message],
      ),
    );
    await signIn(page, service, operator, '/webhooks');
    await page.getByRole('link', { name: 'Failures: Rewards delivered' }).click();
    await page.waitForURL(/type=REWARDS&outcome=REFUSED/);
    const rows = page.getByRole('table').locator('tbody tr');
    await rows.getByText('http://failed.example').waitFor();
    await page.getByRole('button', { name: 'Send failures again' }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('The receiver is back.');
    await page.getByRole('dialog').getByRole('button', { name: 'Send failures again' }).click();
    await page.getByText(/is sent again\./).waitFor();
    await expect
      .poll(() => shop.receiver.received.some(({ body }) => body === '"once more"'), { timeout: 8_000 })
      .toBe(true);
  });
});

it('nobody is offered to send again who may not', async () => {
  const viewer = await newOperator(service, 'VIEWER');
  await signIn(page, service, viewer, '/webhooks');
  await page.getByRole('link', { name: 'Failures: Rewards delivered' }).waitFor();
  expect(await page.getByRole('button', { name: 'Send failures again' }).count()).toBe(0);
});
