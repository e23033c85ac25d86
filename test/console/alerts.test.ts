import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startMailServer, type MailServer } from '../operations/alerts/mail-server.ts';
import { alertsOf, KEY } from '../operations/alerts/fixture.ts';
import { startReceiver, type Receiver } from '../operations/webhooks/receiver.ts';
import { saveOutliers } from '../../src/outliers/outliers.queries.ts';
import { ok } from '../support/administration.ts';
import { startService, type TestService } from '../support/service.ts';
import { launchBrowser, newOperator, signIn, type TestBrowser } from './support/browser.ts';
import { inScheme, PHONE, settled, violations } from './support/looking.ts';

let service: TestService;
let browser: TestBrowser;
let visitor: BrowserContext;
let page: Page;
let mail: MailServer;
let receiver: Receiver;

beforeAll(async () => {
  [mail, receiver] = await Promise.all([
    startMailServer(),
    startReceiver((_, response) => response.writeHead(500).end()),
  ]);
  service = await startService({ secretKeys: [KEY], smtp: mail.smtp });
  browser = await launchBrowser();
  visitor = await browser.visitor();
  page = await visitor.newPage();
  await signIn(page, service, await newOperator(service));
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await service?.close();
  await receiver?.close();
  await mail?.close();
});

const folder = process.env['LAUREL_SCREENSHOTS'];
const picture = async (name: string) => {
  if (folder) await page.screenshot({ path: `${folder}/alerts-${name}.png`, fullPage: true });
};

it('An operator sets alerts up, keeps the secret, and tries both channels', async () => {
  await page.getByRole('link', { name: 'Alerts' }).click();
  await page.getByText('Nobody is told').waitFor();
  await picture('none');
  await page.getByRole('button', { name: 'Set up alerts' }).click();
  const dialog = page.getByRole('dialog', { name: 'Alerts' });
  await dialog.getByLabel('Webhook address').fill(receiver.url);
  await dialog.getByLabel('Recipients').fill('nobody');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog
    .getByText(/e-mail address/i)
    .last()
    .waitFor();
  await dialog.getByLabel('Recipients').press('Backspace');
  await dialog.getByLabel('Recipients').fill('ops@example.com');
  await page.keyboard.press('Enter');
  await dialog.getByRole('checkbox', { name: 'Products that run low' }).check();
  await dialog.getByRole('switch', { name: 'Quiet hours' }).check({ force: true });
  await dialog.getByLabel('From').fill('23:15');
  await picture('form');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const shown = page.getByRole('dialog', { name: 'Signing secret of alerts' });
  expect(await shown.getByLabel('Secret').inputValue()).toMatch(/^whsec_/);
  await shown.getByLabel('I have kept it').check();
  await shown.getByRole('button', { name: 'Close' }).click();
  await page.getByText(/^23:15 to 07:00/).waitFor();
  await page.getByRole('button', { name: 'Send a test by E-mail' }).click();
  await page.getByText('The test arrived.').waitFor();
  await page.getByRole('button', { name: 'Send a test by Webhook' }).click();
  await page.getByText('The test did not arrive: REFUSED: HTTP 500').waitFor();
  const stored = await ok(service.rest('GET', '/admin/alert-settings'));
  expect(stored).toMatchObject({ recipients: ['ops@example.com'], causes: ['PRODUCT_LOW'], version: 1 });
});

it('A channel that fails says since when and why', async () => {
  const { version, endpoint, recipients } = await ok(service.rest('GET', '/admin/alert-settings'));
  await ok(service.rest('PUT', '/admin/alert-settings', { version, endpoint, recipients }));
  const mug = { name: 'Mug', stockMode: 'COUNTED', stock: 3, lowStockThreshold: 5 };
  await ok(service.rest('POST', '/admin/products', mug));
  const alerts = alertsOf(service, { smtp: mail.smtp });
  await alerts.check(service.db, service.clientId, new Date());
  await alerts.idle();
  await page.reload();
  await page.getByText(/^Fails since/).waitFor();
  await page.getByText(/1 attempt, the next at .* REFUSED: HTTP 500/).waitFor();
  await settled(page);
  expect(await violations(page, 'light')).toEqual([]);
  await picture('light');
  await inScheme(page, 'dark');
  expect(await violations(page, 'dark')).toEqual([]);
  await page.setViewportSize(PHONE);
  await picture('phone');
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
});

it('Somebody else’s change is not overwritten, and one who looks on changes nothing', async () => {
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Alerts' });
  const { version, endpoint } = await ok(service.rest('GET', '/admin/alert-settings'));
  await ok(service.rest('PUT', '/admin/alert-settings', { version, endpoint, language: 'ES' }));
  await dialog.getByRole('checkbox', { name: 'Imports that failed' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText(/changed it/).waitFor();
  const looking = await (await browser.visitor()).newPage();
  await signIn(looking, service, await newOperator(service, 'VIEWER'));
  await looking.getByRole('link', { name: 'Alerts' }).click();
  await looking.getByText('Told once').waitFor();
  expect(await looking.getByRole('button', { name: /Edit|Send a test/ }).count()).toBe(0);
});

it('An operator has accounts compared, and the overview leads to one that is far above the usual', async () => {
  const card = page.getByRole('region', { name: 'Accounts far above the usual' });
  await page.reload();
  await card.getByText('Off: accounts are not compared.').waitFor();
  await card.getByRole('button', { name: 'Set the threshold' }).click();
  const dialog = page.getByRole('dialog', { name: 'Accounts far above the usual' });
  await dialog.getByLabel('Threshold').fill('1001');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText(/1,?000/).waitFor();
  await dialog.getByLabel('Threshold').fill('12');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await card.getByText('more than 12 usual deviations above the median').waitFor();
  await picture('outliers');
  const { id } = await ok(service.rest('POST', '/accounts', { externalId: 'flood' }));
  const outliers = [{ accountId: id, observed: 1_500, usual: 3 }];
  const hour = new Date(Math.floor(Date.now() / 3_600_000 - 1) * 3_600_000);
  await service.db.unitOfWork(service.clientId, (uow) => saveOutliers(uow, { measure: 'EVENTS', hour, outliers }));
  await page.getByRole('link', { name: 'Overview' }).click();
  const link = page.getByRole('link', { name: 'The account flood sent 1,500 events in an hour; usual is 3' });
  await link.waitFor();
  await picture('outliers-overview');
  await link.click();
  await page.waitForURL(new RegExp(`/accounts/${id}`));
});
