import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import { ok } from '../support/administration.ts';
import { newOperator, signIn } from './support/browser.ts';
import { shopsDesk } from './support/desk.ts';

const desk = shopsDesk();

const id = (route: string) => desk.shop.ids[route] ?? '';

describe('A number leads to what it counts:', () => {
  it('a step of a funnel to its accounts, one of them to its page, and below the funnel is a series', async () => {
    await desk.open(`/campaigns/${id('/campaigns/:id')}`);
    await desk.page.getByRole('heading', { name: 'Day by day' }).waitFor();
    const began = desk.page.getByRole('link', { name: /started$/ }).first();
    const count = Number((await began.innerText()).split(' ')[0]);
    expect(count).toBeGreaterThan(0);
    await began.click();
    await desk.page.waitForURL(/\/accounts\?mission=.*step=STARTED/);
    const rows = desk.page.getByRole('table').locator('tbody tr');
    await rows.first().getByRole('link').waitFor();
    expect(await rows.count()).toBe(count);
    await desk.page.getByRole('button', { name: 'Download' }).waitFor();
    await rows.first().getByRole('link').first().click();
    await desk.page.waitForURL(/\/accounts\/[0-9a-f-]{36}\?/);
  });

  it('the rewards of the period to the events that earned them', async () => {
    await desk.open('/');
    await desk.page
      .getByRole('main')
      .getByRole('link', { name: /^Rewards delivered/ })
      .click();
    await desk.page.waitForURL(/\/journal\?effect=REWARDED&from=/);
    await desk.page.getByRole('main').getByText('Earned: 50 points').first().waitFor();
    expect(await desk.page.getByRole('combobox', { name: 'Effect' }).inputValue()).toBe('Earned a reward');
  });

  it('a reward to who earned it', async () => {
    await desk.open('/rewards');
    await desk.page.getByRole('link', { name: '50 points' }).first().click();
    await desk.page.waitForURL(/\/rewards\/[0-9a-f-]{36}\?/);
    await desk.page.getByRole('heading', { name: 'Who earned it' }).waitFor();
    const row = desk.page.getByRole('table').locator('tbody tr').first();
    await row.getByRole('link', { name: 'First coffee' }).click();
    await desk.page.getByRole('heading', { name: 'How far accounts are' }).waitFor();
  });

  it('a product to where its units went', async () => {
    const beans = { name: 'A bag', type: 'PRODUCTS', amount: 1, productId: id('/products/:id') };
    const { id: rewardId } = await ok(desk.service.rest('POST', '/admin/rewards', beans));
    const grant = { rewardId, reason: 'Asked for one.' };
    await ok(desk.service.rest('POST', `/admin/accounts/${id('/accounts/:id')}/rewards/grant`, grant));
    await desk.open(`/products/${id('/products/:id')}`);
    await desk.page.getByRole('heading', { name: 'Where its units went' }).waitFor();
    // Its file for people has the names that are shown, and no ids.
    await desk.page.getByRole('button', { name: 'Download' }).first().click();
    const saved = desk.page.waitForEvent('download');
    await desk.page.getByRole('menuitem', { name: 'CSV, as shown' }).click();
    const file = await readFile(await (await saved).path(), 'utf8');
    expect(file).toMatch(/^guest-ada,/m);
    expect(file).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}/);
    await desk.page.getByRole('link', { name: 'guest-ada' }).first().click();
    await desk.page.waitForURL(/\/accounts\/[0-9a-f-]{36}\?/);
  });

  it('a delivery to its account and its campaign', async () => {
    await desk.open(`/webhooks/deliveries/${id('/webhooks/deliveries/:id')}`);
    await desk.page.getByRole('link', { name: 'First coffee' }).click();
    await desk.page.waitForURL(/\/campaigns\/[0-9a-f-]{36}\?/);
    await desk.page.goBack();
    await desk.page.locator('a[href*="/accounts/"]').first().click();
    await desk.page.waitForURL(/\/accounts\/[0-9a-f-]{36}\?/);
  });

  it('the failures of a webhook to their deliveries, which are sent again from there', async () => {
    const message = newId();
    await desk.service.db.unitOfWork(desk.service.clientId, (uow) =>
      uow.query(
        `insert into webhook_delivery (client_id, id, message_id, type, attempt, method, target, body, attempted_at, duration_ms, outcome)
         values ($1, $2, $3, 'REWARDS', 1, 'POST', 'http://failed.example', '"once more"', now(), 1, 'REFUSED')`,
        [uow.clientId, newId(), message],
      ),
    );
    await desk.open('/webhooks');
    await desk.page.getByRole('link', { name: 'Failures: Rewards delivered' }).click();
    await desk.page.waitForURL(/type=REWARDS&outcome=REFUSED/);
    const rows = desk.page.getByRole('table').locator('tbody tr');
    await rows.getByText('http://failed.example').waitFor();
    await desk.page.getByRole('button', { name: 'Send failures again' }).click();
    await desk.page.getByRole('dialog').getByLabel('Reason').fill('The receiver is back.');
    await desk.page.getByRole('dialog').getByRole('button', { name: 'Send failures again' }).click();
    await desk.page.getByText(/is sent again\./).waitFor();
    await expect
      .poll(() => desk.shop.receiver.received.some(({ body }) => body === '"once more"'), { timeout: 8_000 })
      .toBe(true);
  });
});

it('nobody is offered to send again who may not', async () => {
  const viewer = await newOperator(desk.service, 'VIEWER');
  await signIn(desk.page, desk.service, viewer, '/webhooks');
  await desk.page.getByRole('link', { name: 'Failures: Rewards delivered' }).waitFor();
  expect(await desk.page.getByRole('button', { name: 'Send failures again' }).count()).toBe(0);
});
