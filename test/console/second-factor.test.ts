import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { launchBrowser, newOperator, type Operator, signIn, type TestBrowser } from './support/browser.ts';

let service: TestService;
let browser: TestBrowser;
/** A clock ahead of the machine's by the offset of a test. */
let ahead = 0;
const clock = () => new Date(Date.now() + ahead);

beforeAll(async () => {
  [service, browser] = await Promise.all([startService({ clock }), launchBrowser()]);
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

/** The next code that the app shows. */
function nextCode(secret: string): string {
  ahead += 60_000;
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock().getTime() });
}

/** Enables the second factor in the settings. */
async function switchOn(page: Page, operator: Operator): Promise<{ secret: string; codes: string[] }> {
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Sessions and security' }).click();
  await page.getByRole('button', { name: 'Switch on' }).click();
  const dialog = page.getByRole('dialog', { name: 'Switch on the second factor' });
  await dialog.getByLabel('Present password').fill(operator.password);
  await dialog.getByRole('button', { name: 'Next' }).click();
  await dialog.getByRole('img', { name: 'QR code of the key' }).waitFor();
  const secret = (await dialog.locator('code').textContent()) ?? '';
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  await dialog
    .getByLabel('Code', { exact: true })
    .or(dialog.getByRole('textbox', { name: 'Code' }))
    .fill(nextCode(secret));
  await dialog.getByRole('button', { name: 'Switch on' }).click();
  const shown = page.getByRole('dialog', { name: 'Your recovery codes' });
  const codes = (await shown.getByLabel('Recovery codes').inputValue()).split('\n');
  expect(codes).toHaveLength(10);
  await page.keyboard.press('Escape');
  await shown.getByLabel('I have kept it').check();
  await shown.getByRole('button', { name: 'Close' }).click();
  await page.getByText('10 recovery codes are left.').waitFor();
  return { secret, codes };
}

/** Sends e-mail and password, and waits for the second step. */
async function askedForCode(page: Page, operator: Operator): Promise<void> {
  await page.getByLabel('E-mail').fill(operator.email);
  await page.getByLabel('Password', { exact: true }).fill(operator.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Second factor' }).waitFor();
}

async function enter(page: Page, code: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Code' }).fill(code);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function secured() {
  const operator = await newOperator(service);
  const visitor = await browser.visitor();
  const page = await visitor.newPage();
  await signIn(page, service, operator);
  return { operator, visitor, page, ...(await switchOn(page, operator)) };
}

describe('The second factor in the browser', () => {
  it('is switched on in the settings and asked for at the next sign-in, by code or recovery code', async () => {
    const { operator, visitor, page, secret, codes } = await secured();
    await visitor.clearCookies();
    await page.goto(`${service.baseUrl}/console/accounts`);
    await askedForCode(page, operator);
    await enter(page, '000000');
    await page.getByText('This code is wrong, too old, or was used before.').waitFor();
    await enter(page, nextCode(secret));
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
    await visitor.clearCookies();
    await page.goto(`${service.baseUrl}/console/settings`);
    await askedForCode(page, operator);
    await enter(page, codes[0] ?? '');
    await page.getByText('9 recovery codes are left.').waitFor();
    await visitor.close();
  });

  it('is asked for as well in front of pages whose session has ended, which go on', async () => {
    const { operator, visitor, page, secret } = await secured();
    await visitor.clearCookies();
    await service.db.unitOfWork(service.clientId, (uow) => uow.query('delete from console_token'));
    const ended = page.getByText('Your session has ended');
    // A revoked token works for up to a second; until then a request for another page is still answered.
    await vi.waitFor(
      async () => {
        if (await ended.isVisible()) return;
        await page.getByRole('link', { name: 'Accounts', exact: true }).click({ timeout: 1_000 });
        await page.getByRole('link', { name: 'Event definitions' }).click({ timeout: 1_000 });
        throw new Error('The session goes on.');
      },
      { timeout: 30_000, interval: 300 },
    );
    await askedForCode(page, operator);
    await enter(page, nextCode(secret));
    await page.getByRole('button', { name: 'Your account' }).waitFor();
    await visitor.close();
  }, 60_000);

  it('is switched off with password and code', async () => {
    const { operator, visitor, page, secret } = await secured();
    await page.getByRole('button', { name: 'Switch off' }).click();
    const dialog = page.getByRole('dialog', { name: 'Switch off the second factor' });
    await dialog.getByLabel('Present password').fill(operator.password);
    await dialog.getByRole('textbox', { name: 'Code' }).fill(nextCode(secret));
    await dialog.getByRole('button', { name: 'Switch off' }).click();
    await page.getByText('The second factor is off.').waitFor();
    await visitor.close();
  });

  it('is reset by a colleague for somebody who is locked out, who then signs in by password', async () => {
    const { operator, visitor, page } = await secured();
    const colleague = await newOperator(service);
    const other = await browser.visitor();
    const users = await other.newPage();
    await signIn(users, service, colleague, '/users');
    await users.getByRole('button', { name: `Actions for ${operator.email}` }).click();
    await users.getByRole('menuitem', { name: 'Reset second factor' }).click();
    await users.getByRole('dialog').getByRole('button', { name: 'Reset second factor' }).click();
    await users.getByText(`The second factor of ${operator.email} is off.`).waitFor();
    await visitor.clearCookies();
    await page.goto(`${service.baseUrl}/console/`);
    await signIn(page, service, operator);
    await Promise.all([visitor.close(), other.close()]);
  });
});

describe('The sessions in the settings', () => {
  it('are listed, and one that is not known is ended', async () => {
    const operator = await newOperator(service);
    const [visitor, other] = await Promise.all([browser.visitor(), browser.visitor()]);
    const [page, stranger] = await Promise.all([visitor.newPage(), other.newPage()]);
    await signIn(stranger, service, operator);
    await signIn(page, service, operator, '/settings');
    const list = page.getByRole('list', { name: 'Sessions' });
    await list.getByRole('listitem').nth(1).waitFor();
    const before = await list.getByRole('listitem').count();
    expect(await list.getByText('This one').count()).toBe(1);
    await list.getByRole('listitem').nth(1).getByRole('button', { name: 'End' }).click();
    await page.getByText('The session has ended.').waitFor();
    await expect.poll(() => list.getByRole('listitem').count()).toBe(before - 1);
    await expect
      .poll(
        async () => {
          await stranger.reload();
          const email = stranger.getByLabel('E-mail');
          await email.or(stranger.getByRole('navigation')).first().waitFor();
          return email.isVisible();
        },
        { timeout: 10_000, interval: 500 },
      )
      .toBe(true);
    await Promise.all([visitor.close(), other.close()]);
  });
});
