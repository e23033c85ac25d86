import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../support/administration.ts';
import { sharedService, type TestService } from '../support/service.ts';
import { launchBrowser, newOperator, type Operator, signIn, type TestBrowser } from './support/browser.ts';
import { violations } from './support/looking.ts';

let service: TestService;
let browser: TestBrowser;

beforeAll(async () => {
  [service, browser] = await Promise.all([sharedService(), launchBrowser()]);
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate();

/** Continues in the dialog of the second factor, from the password to the recovery codes, which are kept. */
async function setUp(page: Page, { password }: Operator): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Switch on the second factor' });
  await dialog.getByLabel('Present password').fill(password);
  await dialog.getByRole('button', { name: 'Next' }).click();
  await dialog.getByRole('img', { name: 'QR code of the key' }).waitFor();
  await dialog.getByRole('textbox', { name: 'Code' }).fill(codeOf((await dialog.locator('code').textContent()) ?? ''));
  await dialog.getByRole('button', { name: 'Switch on' }).click();
  const shown = page.getByRole('dialog', { name: 'Your recovery codes' });
  await shown.getByLabel('I have kept it').check();
  await shown.getByRole('button', { name: 'Close' }).click();
}

const required = async () =>
  (await ok(service.rest('GET', `/admin/clients/${service.clientId}`))).requireSecondFactor as boolean;

describe('A second factor that the client requires', () => {
  it('is switched on in the settings by somebody who has one, and leads others to the set-up and back to where they were', async () => {
    const [ana, ben, cleo] = [
      await newOperator(service),
      await newOperator(service),
      await newOperator(service, 'VIEWER'),
    ];
    const [visitor, other, third] = await Promise.all([browser.visitor(), browser.visitor(), browser.visitor()]);
    const [page, bens, cleos] = await Promise.all([visitor.newPage(), other.newPage(), third.newPage()]);
    await signIn(bens, service, ben, '/events');
    await bens.getByRole('button', { name: 'New event definition' }).first().click();
    await bens.getByRole('dialog').getByLabel('Code').fill('KEPT_OVER');

    await signIn(page, service, ana, '/settings');
    const toggle = page.getByRole('switch', { name: /^Require one of everybody/ });
    await toggle.click();
    await page.getByText(/You have no second factor yourself/).waitFor();
    expect([await toggle.isChecked(), await required()]).toEqual([false, false]);
    await page.getByRole('button', { name: 'Switch on' }).click();
    await setUp(page, ana);
    await page.getByText('10 recovery codes are left.').waitFor();
    await toggle.click();
    await page.getByText(/requires a second factor now/).waitFor();
    await expect.poll(() => toggle.isChecked()).toBe(true);
    expect(await required()).toBe(true);

    // A user with an open page is stopped at the next call, and loses no input.
    const dialog = bens.getByRole('dialog', { name: 'New event definition' });
    await dialog.getByLabel('Name').fill('Kept over');
    const title = bens.getByRole('heading', { name: 'Set up a second factor' });
    await expect
      .poll(
        async () => {
          if (await title.isVisible()) return true;
          await dialog.getByRole('button', { name: 'Create event definition' }).click({ timeout: 1_000 });
          return title.isVisible();
        },
        { timeout: 15_000, interval: 300 },
      )
      .toBe(true);
    expect(await violations(bens, 'the set-up')).toEqual([]);
    await bens.getByRole('button', { name: 'Set up' }).click();
    await setUp(bens, ben);
    expect(await dialog.getByLabel('Code').inputValue()).toBe('KEPT_OVER');
    await dialog.getByRole('button', { name: 'Create event definition' }).click();
    await bens.getByRole('cell', { name: 'KEPT_OVER' }).first().waitFor();

    // A user who signs in goes to that page first, and then to the requested page.
    await cleos.goto(`${service.baseUrl}/console/audiences`);
    await cleos.getByLabel('E-mail').fill(cleo.email);
    await cleos.getByLabel('Password', { exact: true }).fill(cleo.password);
    await cleos.getByRole('button', { name: 'Sign in' }).click();
    await cleos.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
    expect(await cleos.getByRole('button', { name: 'Your account' }).isVisible()).toBe(false);
    await cleos.reload();
    await cleos.getByRole('button', { name: 'Set up' }).click();
    await setUp(cleos, cleo);
    await cleos.getByRole('heading', { name: 'Audiences' }).waitFor();
    expect(new URL(cleos.url()).pathname).toBe('/console/audiences');
    expect(await cleos.getByRole('switch', { name: /^Require one/ }).count()).toBe(0);

    await page.getByRole('button', { name: 'Switch off' }).click();
    await page
      .getByRole('dialog')
      .getByText(/requires one: to change over to another phone/)
      .waitFor();
    await page.keyboard.press('Escape');
    await toggle.click();
    await page.getByText(/no longer requires a second factor/).waitFor();
    expect(await required()).toBe(false);
    await Promise.all([visitor.close(), other.close(), third.close()]);
  }, 120_000);

  it('is asked of who runs the service at that client alone, with the way to the own one', async () => {
    const root = await newOperator(service, 'SERVICE_ADMIN');
    const strict = await service.newTenant();
    const { name, timeZone, version } = await ok(
      service.rest('GET', `/admin/clients/${strict.clientId}`, undefined, strict.adminToken),
    );
    const body = { name, timeZone, version, requireSecondFactor: true };
    await ok(service.rest('PUT', `/admin/clients/${strict.clientId}`, body, strict.adminToken));
    const visitor = await browser.visitor();
    const page = await visitor.newPage();
    await signIn(page, service, root, '/audiences');
    await page.goto(`${service.baseUrl}/console/audiences?client=${strict.clientId}`);
    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
    await page.getByRole('link', { name: 'To my client' }).click();
    await page.getByRole('button', { name: 'Your account' }).waitFor();
    await page.goto(`${service.baseUrl}/console/audiences?client=${strict.clientId}`);
    await page.getByRole('button', { name: 'Set up' }).click();
    await setUp(page, root);
    await page.getByRole('heading', { name: 'Audiences' }).waitFor();
    await visitor.close();
  }, 60_000);
});
