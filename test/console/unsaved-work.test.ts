import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { sharedService, type Tenant, type TestService } from '../support/service.ts';
import { launchBrowser, newOperator, type Operator, signIn, type TestBrowser } from './support/browser.ts';

let service: TestService;
let browser: TestBrowser;
let operator: Operator;
let administrator: Operator;
let other: Tenant;
beforeAll(async () => {
  service = await sharedService();
  [browser, operator, administrator, other] = await Promise.all([
    launchBrowser(),
    newOperator(service),
    newOperator(service, 'SERVICE_ADMIN'),
    service.newTenant(),
  ]);
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

let visitor: BrowserContext;
let page: Page;
/** The token of the page's last call, so that a test can wait until the service refuses it. */
let authorization = '';
beforeEach(async () => {
  visitor = await browser.visitor();
  page = await visitor.newPage();
  page.on('request', (request) => {
    authorization = request.headers()['authorization'] ?? authorization;
  });
});
afterEach(() => visitor.close());

const button = (name: string) => page.getByRole('button', { name, exact: true });
const question = () => page.getByRole('dialog', { name: 'Leave without saving?' });
const campaignName = () => page.getByRole('textbox', { name: 'Name', exact: true });

/** Opens the dialog of a new event definition, and enters half of one. */
async function enterEvent(code: string) {
  await page.getByRole('button', { name: 'New event definition' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New event definition' });
  await dialog.getByLabel('Code').fill(code);
  return dialog;
}

async function stay(): Promise<void> {
  await question().getByRole('button', { name: 'Stay here' }).click();
  await question().waitFor({ state: 'hidden' });
}

async function leave(): Promise<void> {
  await question().getByRole('button', { name: 'Leave' }).click();
  await question().waitFor({ state: 'hidden' });
}

/** The state after the end of the session: the service accepts no token of it any more. */
async function endSession(): Promise<void> {
  await visitor.clearCookies();
  await service.db.unitOfWork(service.clientId, (uow) => uow.query('delete from console_token'));
  const answer = () => fetch(`${service.baseUrl}/admin/session`, { headers: { authorization } });
  // The service caches tokens for a moment.
  await vi.waitFor(async () => expect((await answer()).status).toBe(401), { timeout: 10_000 });
}

describe('A dialog that holds what was not saved', () => {
  it('asks before Escape, a click beside it, its close button or Cancel closes it, and keeps what was entered', async () => {
    await signIn(page, service, operator, '/events');
    const dialog = await enterEvent('HALF');
    const ways = [
      () => page.keyboard.press('Escape'),
      () => page.mouse.click(5, 400),
      () => dialog.locator('.mantine-Modal-close').click(),
      () => dialog.getByRole('button', { name: 'Cancel' }).click(),
    ];
    for (const close of ways) {
      await close();
      await stay();
      expect(await dialog.getByLabel('Code').inputValue()).toBe('HALF');
    }
    await page.keyboard.press('Escape');
    // Escape only answers the question.
    await question().waitFor();
    await page.keyboard.press('Escape');
    await question().waitFor({ state: 'hidden' });
    expect(await dialog.getByLabel('Code').inputValue()).toBe('HALF');
    await page.keyboard.press('Escape');
    await leave();
    await dialog.waitFor({ state: 'hidden' });
  });

  it('closes without a question while nothing was entered', async () => {
    await signIn(page, service, operator, '/events');
    const dialog = await enterEvent('');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  });

  it("asks before the browser's back button leaves its page", async () => {
    await signIn(page, service, operator, '/accounts');
    await page.getByRole('link', { name: 'Event definitions' }).click();
    const dialog = await enterEvent('HALF');
    await page.goBack();
    await stay();
    expect(await dialog.getByLabel('Code').inputValue()).toBe('HALF');
    expect(new URL(page.url()).pathname).toBe('/console/events');
    await page.goBack();
    await leave();
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
  });
});

describe('What was entered and not saved', () => {
  it('is asked about before another client is chosen', async () => {
    await signIn(page, service, administrator, '/campaigns/new');
    await campaignName().fill('Half a thought');
    const client = page.getByRole('combobox', { name: 'Client' });
    const own = await client.inputValue();
    const choose = async () => {
      await client.fill(other.clientId);
      await page.getByRole('option', { name: other.clientId }).click();
    };
    await choose();
    await stay();
    expect(await campaignName().inputValue()).toBe('Half a thought');
    expect(await client.inputValue()).toBe(own);
    await choose();
    await leave();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await expect.poll(() => client.inputValue()).toContain(other.clientId);
  });

  it('is asked about before the person signs out', async () => {
    await signIn(page, service, operator, '/campaigns/new');
    await campaignName().fill('Half a thought');
    const signOut = async () => {
      await button('Your account').click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
    };
    await signOut();
    await stay();
    expect(await campaignName().inputValue()).toBe('Half a thought');
    await signOut();
    await leave();
    await page.getByLabel('E-mail').waitFor();
  });

  it('is there again, also in a dialog, once the person has signed in after the session ended, and was never stored', async () => {
    await signIn(page, service, operator, '/events');
    const dialog = await enterEvent('KEPT_OVER');
    await dialog.getByLabel('Description').fill('Between two sessions');
    await endSession();
    await dialog.getByRole('button', { name: 'Create event definition' }).click();
    await page.getByText('Your session has ended').waitFor();
    expect(await dialog.isVisible()).toBe(false);
    const stored = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    expect(stored).not.toContain('KEPT_OVER');
    await page.getByLabel('E-mail').fill(operator.email);
    await page.getByLabel('Password', { exact: true }).fill(operator.password);
    await button('Sign in').click();
    await dialog.waitFor();
    expect(await dialog.getByLabel('Description').inputValue()).toBe('Between two sessions');
    await dialog.getByRole('button', { name: 'Create event definition' }).click();
    await page.getByRole('row', { name: 'KEPT_OVER' }).waitFor();
  });

  it('is not shown to somebody else who signs in after the session ended', async () => {
    await signIn(page, service, operator, '/events');
    const dialog = await enterEvent('OF_OLIVIA');
    await endSession();
    await dialog.getByRole('button', { name: 'Create event definition' }).click();
    await page.getByText('Your session has ended').waitFor();
    const successor = await newOperator(service);
    await page.getByLabel('E-mail').fill(successor.email);
    await page.getByLabel('Password', { exact: true }).fill(successor.password);
    await button('Sign in').click();
    await button('Your account').waitFor();
    await page.getByRole('button', { name: 'New event definition' }).first().waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.content()).not.toContain('OF_OLIVIA');
  });
});

describe('A secret that is shown once', () => {
  it('is put away by its own button alone, after it was copied or said to be kept', async () => {
    await signIn(page, service, operator);
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'New key' }).first().click();
    await page.getByRole('dialog').getByLabel('Name').fill('Till');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const secret = page.getByRole('dialog').getByLabel('Secret');
    const value = await secret.inputValue();
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 400);
    expect(await page.getByRole('dialog').locator('.mantine-Modal-close').count()).toBe(0);
    await page.goBack();
    await page.getByRole('button', { name: 'Stay here' }).click();
    expect(await secret.inputValue()).toBe(value);
    expect(await button('Close').isDisabled()).toBe(true);
    await page.getByLabel('I have kept it in a safe place').check();
    await button('Close').click();
    await secret.waitFor({ state: 'hidden' });
  });
});
