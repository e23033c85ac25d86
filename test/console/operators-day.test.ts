import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Receiver, startReceiver } from '../operations/webhooks/receiver.ts';
import { sharedService, type TestService } from '../support/service.ts';
import { launchBrowser, newOperator, signIn, type TestBrowser } from './support/browser.ts';

const SCREENSHOTS = new URL('../../dist/screenshots', import.meta.url).pathname;

const CODES = Buffer.from('code\nCAFE-0001\nCAFE-0002\nCAFE-0003\n');
/** A file of a spreadsheet in Madrid: with a byte order mark, semicolons and CRLF. */
const GUESTS = Buffer.from(
  '\uFEFFexternalId;name;email;attributes.tier\r\nguest-1;Ada;ada@example.com;GOLD\r\nguest-2;Ben;;\r\n',
);

let service: TestService;
let receiver: Receiver;
let browser: TestBrowser;
let visitor: BrowserContext;
let page: Page;
beforeAll(async () => {
  service = await sharedService();
  [receiver, browser] = await Promise.all([startReceiver(), launchBrowser()]);
  visitor = await browser.visitor();
  page = await visitor.newPage();
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await receiver?.close();
  await service?.close();
});

beforeEach(({ onTestFailed }) => {
  // The screen explains more than the step that timed out.
  onTestFailed(async () => void (await page?.screenshot({ path: `${SCREENSHOTS}/failed.png` })));
});

/** Each step needs the resources of the steps before it, as for the operator of an empty client. */
describe('The operator’s day, from an empty client to the first webhook', () => {
  let apiKey = '';

  it('begins with the sign-in, and the overview says what to do first', async () => {
    await signIn(page, service, await newOperator(service));
    await page.getByRole('heading', { name: 'On the way to your first campaign' }).waitFor();
  });

  it('defines an event', async () => {
    await open('Event definitions');
    await button('New event definition').first().click();
    const dialog = page.getByRole('dialog');
    await field('Code', dialog).fill('not a code');
    await field('Name', dialog).fill('Coffee sold');
    await button('Create event definition', dialog).click();
    await dialog.locator('input[aria-invalid=true]').waitFor();
    await field('Code', dialog).fill('COFFEE');
    for (const [number, name, type] of [
      [1, 'kind', 'Text'],
      [2, 'price', 'Number'],
    ] as const) {
      await button('Add attribute', dialog).click();
      const row = dialog.getByRole('group', { name: `Attribute ${number}` });
      await field('Name', row).fill(name);
      await row.getByLabel('Type').selectOption(type);
    }
    await button('Create event definition', dialog).click();
    await page.getByText('Event definition COFFEE is created.').waitFor();
  });

  it('creates a product and loads its codes by CSV', async () => {
    await open('Products');
    await button('New product').first().click();
    await field('Name', page.getByRole('dialog')).fill('Free coffee');
    await button('Create product', page.getByRole('dialog')).click();
    await page.getByRole('heading', { name: 'Free coffee', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Import' }).last().click();
    await upload('codes.csv', CODES);
    await open('Products');
    await page.getByRole('row', { name: 'Free coffee' }).getByText('3', { exact: true }).waitFor();
  });

  it('creates a reward that gives the product', async () => {
    await open('Rewards');
    await button('New reward').first().click();
    const dialog = page.getByRole('dialog');
    await field('Name', dialog).fill('A free coffee');
    await dialog.getByRole('radio', { name: /^Product\./ }).click();
    await choose(dialog.getByRole('combobox', { name: 'Product' }), 'Free coffee');
    await field('Units', dialog).fill('1');
    await button('Create reward', dialog).click();
    await page.getByText('Reward A free coffee is created.').waitFor();
  });

  it('creates a reward whose points depend on the price, and learns what it had misspelt', async () => {
    await open('Rewards');
    await button('New reward').first().click();
    const dialog = page.getByRole('dialog');
    await field('Name', dialog).fill('Two points a euro');
    await dialog.getByRole('radio', { name: /^Points\./ }).click();
    await field('Points by expression', dialog).fill('event.prise * 2');
    await field('At most', dialog).fill('20');
    await button('Create reward', dialog).click();
    await dialog.getByText(/There is no event\.prise\./).waitFor();
    await field('Points by expression', dialog).fill('event.price * 2');
    await button('Create reward', dialog).click();
    await page.getByText('Reward Two points a euro is created.').waitFor();
  });

  it('declares an attribute of accounts', async () => {
    await open('Accounts');
    await button('Attributes').click();
    const dialog = page.getByRole('dialog');
    await button('Add attribute', dialog).click();
    await field('Name', dialog).fill('tier');
    await button('Save changes', dialog).click();
    await page.getByText('The attributes of accounts are saved.').waitFor();
  });

  it('creates an audience and loads its accounts by CSV', async () => {
    await open('Audiences');
    await button('New audience').first().click();
    await field('Name', page.getByRole('dialog')).fill('Regulars');
    await button('Create audience', page.getByRole('dialog')).click();
    await page.getByRole('heading', { name: 'Regulars', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Import a CSV' }).click();
    await upload('guests.csv', GUESTS);
    await open('Audiences');
    await page.getByRole('link', { name: 'Regulars' }).click();
    await page.getByRole('row', { name: 'guest-2' }).waitFor();
  });

  it('creates a segment by a rule, and sees how many accounts are in it before it is saved', async () => {
    await open('Audiences');
    await button('New audience').first().click();
    const dialog = page.getByRole('dialog');
    await field('Name', dialog).fill('Gold guests');
    await dialog.getByRole('radio', { name: /^By rule\./ }).click();
    await dialog.getByLabel('Accounts for which this holds').fill('account.tier == "GOLD"');
    await dialog.getByText('One account matches.').waitFor();
    await button('Create audience', dialog).click();
    await page.getByRole('heading', { name: 'Gold guests', level: 1 }).waitFor();
    await page.getByRole('row', { name: 'guest-1' }).waitFor();
    expect(await page.getByRole('row', { name: 'guest-2' }).count()).toBe(0);
  });

  it('writes a campaign and activates it, knowing whom it touches', async () => {
    await open('Campaigns');
    await page.getByRole('link', { name: 'New campaign' }).first().click();
    await page.getByRole('heading', { name: 'New campaign', level: 1 }).waitFor();
    await field('Name').fill('Two coffees');
    await choose(page.getByRole('combobox', { name: 'Audiences' }), 'Gold guests');
    await choose(page.getByRole('combobox', { name: 'Completion rewards' }), 'A free coffee');
    const mission = page.getByRole('group', { name: 'Mission 1' });
    await field('Name in the feed', mission).fill('Drink two coffees');
    await choose(mission.getByRole('combobox', { name: 'Event' }), 'COFFEE');
    await field('Target', mission).fill('2');
    await mission.getByRole('combobox', { name: 'How often' }).click();
    await page.getByRole('option', { name: 'At each multiple of the target' }).click();
    await field('Times at most', mission).fill('3');
    await choose(mission.getByRole('combobox', { name: 'Mission rewards' }), 'Two points a euro');
    await page.keyboard.press('Escape');
    await mission.getByRole('button', { name: 'Conditions: none' }).click();
    const condition = mission.getByLabel('Only if');
    await condition.fill('event.knd == "coffee"');
    await mission.getByText(/There is no event\.knd\. Known names: event\.kind/).waitFor();
    await condition.fill('event.kind == "coffee"');
    await mission.getByText('The journal has no event with this code yet.').waitFor();
    await button('Create draft').click();
    await page.getByRole('heading', { name: 'Two coffees', level: 1 }).waitFor();
    await button('Activate').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 account').waitFor();
    // Three rounds of at most twenty points, and one cup.
    await dialog.getByText('for each account 60 points and 1 × Free coffee.').waitFor();
    await button('Activate', dialog).click();
    await page.getByText('Campaign Two coffees is active.').waitFor();
  });

  it('tells Laurel where its platform listens, and tries it', async () => {
    await open('Webhooks');
    await button('Set up: Rewards delivered').click();
    const dialog = page.getByRole('dialog');
    await field('Address', dialog).fill(`${receiver.url}/rewards`);
    await dialog.getByText('HTTP header', { exact: true }).click();
    await field('Header name', dialog).fill('X-Coffee-Key');
    await field('Secret', dialog).fill('a secret of the shop');
    await dialog.getByRole('combobox', { name: 'When a reward is out of stock' }).selectOption('ALL_SETTLED');
    await button('Save changes', dialog).click();
    await page.getByText('X-Coffee-Key: ••••shop').waitFor();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('Call once, when nothing waits any more').waitFor();
    await page.getByText('The secret goes over plain http').waitFor();
    await button('Send a test: Rewards delivered').click();
    await page.getByText('The endpoint accepted the test event.').waitFor();
    expect(receiver.received.map(({ headers }) => headers['x-coffee-key'])).toEqual(['a secret of the shop']);
  });

  it('makes an API key, whose secret is shown this once', async () => {
    await open('API keys');
    await button('New key').first().click();
    await field('Name', page.getByRole('dialog')).fill('Till');
    await button('Create key', page.getByRole('dialog')).click();
    apiKey = await field('Secret').inputValue();
    await button('Copy', page.getByRole('dialog')).click();
    await button('Close', page.getByRole('dialog')).click();
    await page
      .getByRole('row', { name: 'Till' })
      .getByText(`…${apiKey.slice(-4)}`)
      .waitFor();
    expect(await page.content()).not.toContain(apiKey);
  });

  it('simulates an event, which changes nothing', async () => {
    await open('Simulator');
    await page.getByRole('combobox', { name: 'Account' }).fill('guest-1');
    await page.getByRole('option', { name: /^guest-1/ }).click();
    await choose(page.getByRole('combobox', { name: 'Event' }), 'COFFEE');
    await page.getByLabel('kind').fill('tea');
    await button('Simulate').click();
    await page.getByText('event.kind is "tea", needed "coffee"').waitFor();
    await page.getByLabel('kind').fill('coffee');
    await button('Simulate').click();
    await page.getByText('From 0 to 1 of 2').waitFor();
  });

  it('sees the progress of an account after the first event by API, and its reward after the second', async () => {
    await sell();
    await open('Accounts');
    await page.getByRole('link', { name: 'guest-1' }).click();
    await page.getByRole('tab', { name: 'Feed' }).click();
    await page.getByText('1 / 2').waitFor();
    await sell();
    await page.reload();
    await page.getByText('0 / 2 · completed once').waitFor();
    await page.getByRole('tab', { name: 'Earned rewards' }).click();
    await page.getByText('Delivered', { exact: true }).first().waitFor();
    await page.getByRole('row', { name: 'Two points a euro' }).getByText('7', { exact: true }).waitFor();
  });

  it('finds the webhook in the delivery log, and sends the same bytes again', async () => {
    await receiver.got(2);
    await open('Webhooks');
    await page.getByRole('table', { name: 'Delivery log' }).getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Delivery', level: 1 }).waitFor();
    await page.getByText('"rewardId"').first().waitFor();
    await button('Send again').click();
    await button('Send again', page.getByRole('dialog')).click();
    const [, first, second] = await receiver.got(3);
    expect(second?.body).toBe(first?.body);
    await page.getByRole('table', { name: 'Attempts of this message' }).getByText('2', { exact: true }).waitFor();
  });

  it('sees the day in the figures and the chart of the overview', async () => {
    // The counters are written some seconds after the counted events.
    await vi.waitFor(
      async () => {
        await page.goto(`${service.baseUrl}/console/`);
        const figures = page.getByRole('main');
        await figures.getByText('Webhooks that arrived').locator('..').getByText('100%').waitFor({ timeout: 2_000 });
      },
      { timeout: 20_000, interval: 500 },
    );
    await page.locator('.recharts-bar-rectangle').filter({ visible: true }).first().waitFor();
  });

  it('is written down, with what each change changed', async () => {
    await open('Audit log');
    await button('Changes: Activate campaign').click();
    const status = page.getByRole('dialog').getByRole('row', { name: 'Status' });
    await status.getByText('DRAFT').waitFor();
    await status.getByText('ACTIVE').waitFor();
  });

  async function sell(): Promise<void> {
    const metadata = { kind: 'coffee', price: 3.5 };
    const event = { programmaticCode: 'COFFEE', idType: 'EXTERNAL', accountId: 'guest-1', metadata };
    const answer = await service.rest('POST', '/gamification/triggers', event, apiKey);
    expect(answer.status).toBe(200);
  }
});

/** Goes to a page by the navigation. */
async function open(name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

function button(name: string, within: Page | Locator = page): Locator {
  return within.getByRole('button', { name, exact: true });
}

function field(name: string, within: Page | Locator = page): Locator {
  return within.getByRole('textbox', { name, exact: true });
}

/** Finds an entry of a field by typing its name, as people do. */
async function choose(field: Locator, name: string): Promise<void> {
  await field.fill(name);
  await page.getByRole('option', { name, exact: true }).click();
}

/** Uploads a file by the form of a new import, and waits for its end. */
async function upload(name: string, buffer: Buffer): Promise<void> {
  await page.getByLabel('File').setInputFiles({ name, mimeType: 'text/csv', buffer });
  await button('Upload and import').click();
  await page.getByText('Done', { exact: true }).waitFor();
}
