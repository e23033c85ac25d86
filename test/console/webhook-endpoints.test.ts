import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { newId } from '../../src/kernel/ids.ts';
import { type Answer, type Receiver, startReceiver } from '../operations/webhooks/receiver.ts';
import { ok } from '../support/administration.ts';
import { newGame } from '../support/game.ts';
import { newOperator, signIn } from './support/browser.ts';
import { operatorsDesk } from './support/desk.ts';

const desk = operatorsDesk();
const { post, open, button, inDialog, seesText } = desk;

const works: Answer = (_request, response) => response.writeHead(204).end();
const fails: Answer = (_request, response) => response.writeHead(503).end();

let receiver: Receiver;
let answer: Answer = works;
beforeAll(async () => {
  receiver = await startReceiver((...call) => answer(...call));
});
afterAll(() => receiver.close());
afterEach(async () => {
  answer = works;
  for (const { id } of await stored()) await desk.service.rest('DELETE', `/webhooks/endpoints/${id}`);
});

const stored = async () => (await ok(desk.service.rest('GET', '/webhooks/endpoints'))).rows;
const newEndpoint = (endpoint: object) =>
  post('/webhooks/endpoints', { endpoint: { url: `${receiver.url}/orders`, retries: false, ...endpoint } });

const dialog = () => desk.page.getByRole('dialog');
const section = () => desk.page.getByRole('region', { name: 'Endpoints' });
const log = () => desk.page.getByRole('table', { name: 'Delivery log' });
const logged = () => log().locator('tbody tr');
const chooseInMenu = async (name: string, action: string) => {
  await button(`Actions for ${name}`).click();
  await desk.page.getByRole('menuitem', { name: action }).click();
};

let codes = 0;

/** Completes a campaign with one mission, and so causes a MISSION_COMPLETED and a REWARDS_DELIVERED. Returns the campaign's id. */
async function completeOne(): Promise<string> {
  codes += 1;
  const code = `VISIT_${codes}`;
  const { campaignId } = await newGame(desk.service, {
    codes: { [code]: 'SINGLE' },
    missions: [{ programmaticCode: code }],
  });
  await post('/gamification/triggers', { programmaticCode: code, accountId: 'ada', idType: 'EXTERNAL' });
  return campaignId;
}

describe('An endpoint', () => {
  it('is created, with a secret that is shown this once and verifies the test that is sent to it', async () => {
    await open('/webhooks');
    await section().getByText('No endpoints yet').waitFor();
    await button('New endpoint').click();
    await inDialog('Create endpoint').click();
    expect(await dialog().getByRole('textbox', { name: 'Name' }).getAttribute('aria-invalid')).toBe('true');
    await dialog().getByRole('textbox', { name: 'Name' }).fill('Customer data');
    await dialog().getByRole('textbox', { name: 'Address' }).fill(`${receiver.url}/customers?key=hidden`);
    await dialog().getByRole('checkbox', { name: 'Stock low' }).check();
    await dialog().getByRole('checkbox', { name: 'Mission completed' }).check();
    await inDialog('Create endpoint').click();
    const secret = await dialog().getByLabel('Secret').inputValue();
    expect(secret).toMatch(/^whsec_/);
    await inDialog('Copy').click();
    await inDialog('Close').click();

    const row = section().getByRole('row', { name: 'Customer data' });
    await row.getByText('Mission completed · Stock low').waitFor();
    await row.getByText(receiver.url, { exact: true }).waitFor();
    expect(await desk.page.content()).not.toContain(secret);
    expect(await desk.page.content()).not.toContain('key=hidden');
    expect(await stored()).toMatchObject([{ retries: true, form: 'PLAIN', campaignIds: [] }]);

    await chooseInMenu('Customer data', 'Send a test');
    await dialog().getByLabel('Kind of change').selectOption('Stock low');
    await inDialog('Send a test').click();
    await seesText('The endpoint accepted the test with 204.');
    const [request] = await receiver.got(1);
    const headers = request!.headers as Record<string, string>;
    expect(new Webhook(secret).verify(request!.body, headers)).toMatchObject({ type: 'STOCK_LOW', test: true });

    answer = fails;
    await inDialog('Send a test').click();
    await seesText('The endpoint answered 503.');
    answer = (incoming) => incoming.socket.destroy();
    await dialog().getByLabel('Kind of change').selectOption('Mission completed');
    await dialog().getByText('The endpoint answered 503.').waitFor({ state: 'detached' });
    await inDialog('Send a test').click();
    await seesText('The endpoint did not answer: ');
  });

  it('is edited: it is narrowed to campaigns with kinds that have some, and gets another secret', async () => {
    const { id, signingSecret } = await newEndpoint({ name: 'Orders', types: ['REWARDS_DELIVERED', 'STOCK_LOW'] });
    const { campaignId } = await newGame(desk.service, { campaign: { name: 'Spring' }, activate: false });
    await open('/webhooks');
    await chooseInMenu('Orders', 'Edit');
    const campaigns = dialog().getByRole('combobox', { name: 'Campaigns' });
    expect(await campaigns.count()).toBe(0);
    await dialog().getByRole('checkbox', { name: 'Stock low' }).uncheck();
    await campaigns.click();
    await desk.page.getByRole('option', { name: 'Spring' }).click();
    await desk.page.keyboard.press('Escape');
    await dialog()
      .getByRole('radio', { name: /^CloudEvents/ })
      .click();
    await dialog().getByLabel('Make a new signing secret').check();
    await inDialog('Save changes').click();
    expect(await dialog().getByLabel('Secret').inputValue()).not.toBe(signingSecret);
    await inDialog('Copy').click();
    await inDialog('Close').click();
    await section().getByText('Only of 1 campaign').waitFor();
    expect(await stored()).toMatchObject([
      { id, version: 2, types: ['REWARDS_DELIVERED'], campaignIds: [campaignId], form: 'CLOUD_EVENTS' },
    ]);

    await chooseInMenu('Orders', 'Edit');
    await dialog().getByText('Spring').waitFor();
    await dialog().getByRole('checkbox', { name: 'Publication status' }).check();
    await campaigns.waitFor({ state: 'detached' });
    await inDialog('Save changes').click();
    await section().getByText('Only of 1 campaign').waitFor({ state: 'detached' });
    expect(await stored()).toMatchObject([{ version: 3, campaignIds: [], form: 'CLOUD_EVENTS' }]);
  });

  it('that somebody else changed meanwhile is neither overwritten nor deleted', async () => {
    const { id } = await newEndpoint({ name: 'Orders', types: ['STOCK_LOW'] });
    const change = (name: string, version: number) =>
      ok(
        desk.service.rest('PUT', `/webhooks/endpoints/${id}`, {
          version,
          endpoint: { name, url: `${receiver.url}/theirs`, types: ['STOCK_LOW'] },
        }),
      );
    await open('/webhooks');
    await chooseInMenu('Orders', 'Edit');
    await dialog().getByRole('textbox', { name: 'Name' }).fill('Mine');
    await change('Theirs', 1);
    await inDialog('Save changes').click();
    await dialog().getByText('Trace id').waitFor();
    await section().getByRole('row', { name: 'Theirs', includeHidden: true }).waitFor();
    expect(await stored()).toMatchObject([{ name: 'Theirs', version: 2 }]);

    await open('/webhooks');
    await chooseInMenu('Theirs', 'Delete');
    await change('Theirs again', 2);
    await inDialog('Delete').click();
    await dialog().getByText('Trace id').waitFor();
    expect(await stored()).toMatchObject([{ name: 'Theirs again', version: 3 }]);
  });

  it('is named in the log, also after its deletion, and the log is narrowed to it', async () => {
    await post('/webhooks/endpoints', {
      endpoint: { name: 'Elsewhere', url: `${receiver.url}/else`, types: ['REWARDS_DELIVERED'] },
    });
    const { id } = await newEndpoint({ name: 'Orders', types: ['REWARDS_DELIVERED', 'MISSION_COMPLETED'] });
    await completeOne();
    await open('/webhooks');
    await expect.poll(() => logged().filter({ hasText: 'Orders' }).count(), { timeout: 15_000 }).toBe(2);
    await logged().filter({ hasText: 'Elsewhere' }).first().waitFor();
    await desk.page.getByRole('combobox', { name: 'Endpoint' }).click();
    await desk.page.getByRole('option', { name: 'Orders' }).click();
    await logged().filter({ hasText: 'Elsewhere' }).first().waitFor({ state: 'detached' });
    expect(await logged().count()).toBe(2);

    await logged().filter({ hasText: 'Mission completed' }).getByRole('link').click();
    await desk.page.getByRole('heading', { name: 'Delivery', level: 1 }).waitFor();
    await desk.page.getByRole('definition').getByRole('link', { name: 'Orders' }).waitFor();
    await desk.page.getByRole('link', { name: 'ada' }).waitFor();
    await desk.page.getByRole('link', { name: /^Campaign \d+$/ }).waitFor();

    await open('/webhooks');
    await chooseInMenu('Orders', 'Delete');
    await inDialog('Delete').click();
    await seesText('Endpoint Orders is deleted.');
    await logged()
      .filter({ hasText: `Deleted endpoint ${id.slice(0, 8)}…` })
      .first()
      .waitFor();
    await open(`/webhooks?endpointId=${id}`);
    await expect
      .poll(() => desk.page.getByRole('combobox', { name: 'Endpoint' }).inputValue())
      .toBe(`Deleted endpoint ${id.slice(0, 8)}…`);
    await expect.poll(() => logged().filter({ hasText: 'Deleted endpoint' }).count()).toBe(2);
  });

  it('that fails is on the overview, leads to its failures alone, and is sent them again', async () => {
    answer = fails;
    await newEndpoint({ name: 'MISSION_COMPLETED', types: ['MISSION_COMPLETED'] });
    await ok(desk.service.rest('PUT', '/webhooks/mission-completed', { endpoint: `${receiver.url}/fixed` }));
    const before = receiver.received.length;
    await completeOne();
    await receiver.got(before + 2);
    await open('/');
    const cause = desk.page.getByRole('link', { name: 'The endpoint “MISSION_COMPLETED” fails' });
    await expect
      .poll(
        async () => {
          await desk.page.reload();
          await desk.page.getByRole('region', { name: 'Needs attention' }).waitFor();
          return cause.count();
        },
        { timeout: 15_000 },
      )
      .toBe(1);
    await cause.click();
    await desk.page.waitForURL(/endpointId=[0-9a-f-]{36}&outcome=REFUSED/);
    await logged().filter({ hasText: 'MISSION_COMPLETED' }).first().waitFor();
    expect(await logged().count()).toBe(1);

    answer = works;
    await button('Send failures again').click();
    expect(await dialog().getByLabel('Webhook').locator('option:checked').innerText()).toBe('MISSION_COMPLETED');
    await dialog().getByText('The log has 1 failed attempt in this period.').waitFor();
    await dialog().getByLabel('Reason').fill('The receiver is back.');
    await inDialog('Send failures again').click();
    await seesText('1 message is sent again.');
    await receiver.got(before + 3);
    expect(receiver.received.at(-1)?.url).toBe('/orders');

    // The webhook of the same type has its own failures.
    await desk.page.getByRole('link', { name: 'Failures: Mission completed' }).click();
    await desk.page.waitForURL(/type=MISSION_COMPLETED/);
    await logged().filter({ hasText: 'MISSION_COMPLETED' }).first().waitFor({ state: 'detached' });
    expect(await logged().count()).toBe(1);
    await ok(desk.service.rest('DELETE', '/webhooks/mission-completed'));
  });

  it('with retries shows what waits, in the section and in the table, and stops it', async () => {
    answer = fails;
    const { id } = await newEndpoint({ name: 'Orders', types: ['MISSION_COMPLETED'], retries: true });
    const before = receiver.received.length;
    await completeOne();
    await receiver.got(before + 1);
    await open('/webhooks?tab=waiting');
    await section().getByText('Orders: 1 message waits for a retry').waitFor({ timeout: 15_000 });
    const waiting = desk.page.getByRole('table', { name: 'Waiting' });
    await waiting.getByRole('row').filter({ hasText: 'Mission completed' }).filter({ hasText: 'Orders' }).waitFor();
    await button('Stop retries: Orders').click();
    await inDialog('Stop retries').click();
    await seesText('1 message is not sent again.');
    await section().getByText('1 message waits').waitFor({ state: 'detached' });
    const { rows } = await ok(desk.service.rest('GET', '/admin/webhooks/retries'));
    expect(rows).toEqual([{ endpointId: id, waiting: 0 }]);
  });
});

it('Whoever may not keep webhooks sees the endpoints and their failures, and changes none', async () => {
  await newEndpoint({ name: 'Orders', types: ['STOCK_LOW'] });
  await signIn(desk.page, desk.service, await newOperator(desk.service, 'VIEWER'), '/webhooks');
  await button('Actions for Orders').click();
  await desk.page.getByRole('menuitem', { name: 'Failures' }).waitFor();
  expect(await desk.page.getByRole('menuitem').count()).toBe(1);
  expect(await button('New endpoint').count()).toBe(0);
});

it('A twenty-first endpoint is refused with the reason', async () => {
  for (let count = 0; count < 20; count += 1) await newEndpoint({ name: `Number ${count}`, types: ['STOCK_LOW'] });
  await open('/webhooks');
  await button('New endpoint').click();
  await dialog().getByRole('textbox', { name: 'Name' }).fill('One more');
  await dialog().getByRole('textbox', { name: 'Address' }).fill(`${receiver.url}/${newId()}`);
  await dialog().getByRole('checkbox', { name: 'Stock low' }).check();
  await inDialog('Create endpoint').click();
  await dialog().getByText('The client has 20 webhook endpoints already.').waitFor();
});
