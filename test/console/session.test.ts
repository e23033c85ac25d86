import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sharedService, type TestService } from '../support/service.ts';
import { launchBrowser, newOperator, type Operator, signIn, type TestBrowser } from './support/browser.ts';

let service: TestService;
let browser: TestBrowser;
let operator: Operator;
beforeAll(async () => {
  service = await sharedService();
  [browser, operator] = await Promise.all([launchBrowser(), newOperator(service)]);
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

describe('A session in the browser', () => {
  it('begins where the person wanted to go, and goes on after a reload', async () => {
    const visitor = await browser.visitor();
    const page = await visitor.newPage();
    await signIn(page, service, operator, '/events?page=1&limit=50');
    await page.getByRole('heading', { name: 'Event definitions' }).waitFor();
    expect(new URL(page.url()).search).toBe(`?page=1&limit=50&client=${service.clientId}`);
    await page.reload();
    await page.getByRole('heading', { name: 'Event definitions' }).waitFor();
    await visitor.close();
  });

  it('keeps its token out of everything that a script could read later', async () => {
    const visitor = await browser.visitor();
    const page = await visitor.newPage();
    await signIn(page, service, operator);
    const stored = await page.evaluate(
      'JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie])',
    );
    expect(stored).not.toContain('lrl_');
    const cookies = await visitor.cookies();
    const kept = cookies.map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite }));
    expect(kept.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
      { name: 'laurel_device', httpOnly: true, sameSite: 'Strict' },
      { name: 'laurel_session', httpOnly: true, sameSite: 'Strict' },
    ]);
    await visitor.close();
  });

  it('that has ended asks to sign in again and returns to the same page', async () => {
    const visitor = await browser.visitor();
    const page = await visitor.newPage();
    await signIn(page, service, operator, '/accounts');
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
    // The state after the hour and the cookie's expiry: no token of the session is accepted any more.
    await service.db.unitOfWork(service.clientId, (uow) => uow.query('delete from console_token'));
    await service.db.unitOfWork(service.clientId, (uow) => uow.query('delete from console_session'));
    await visitor.clearCookies();
    await page.reload();
    await page.getByLabel('E-mail').waitFor();
    await signIn(page, service, operator);
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/accounts');
    await visitor.close();
  });

  it('that ends while somebody works says so, and goes on after the sign-in', async () => {
    const visitor = await browser.visitor();
    const page = await visitor.newPage();
    await signIn(page, service, operator, '/events');
    await page.getByRole('heading', { name: 'Event definitions' }).waitFor();
    await visitor.clearCookies();
    // A revoked token works for up to a second; until then a request for another page is still answered.
    await service.db.unitOfWork(service.clientId, (uow) => uow.query('delete from console_token'));
    const ended = page.getByText('Your session has ended');
    await vi.waitFor(
      async () => {
        if (await ended.isVisible()) return;
        await page.getByRole('link', { name: 'Accounts', exact: true }).click({ timeout: 1_000 });
        await page.getByRole('link', { name: 'Event definitions' }).click({ timeout: 1_000 });
        throw new Error('The session goes on.');
      },
      { timeout: 15_000, interval: 300 },
    );
    await signIn(page, service, operator);
    await page.getByRole('button', { name: 'Your account' }).waitFor();
    await visitor.close();
  });

  it('refuses a wrong password beside the field and tells nothing else', async () => {
    const visitor = await browser.visitor();
    const page = await visitor.newPage();
    await page.goto(`${service.baseUrl}/console/`);
    await page.getByLabel('E-mail').fill(operator.email);
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('E-mail and password do not belong together.').waitFor();
    await visitor.close();
  });

  it('shows the wrong passwords that were sent before it, until the person has read that', async () => {
    const { email, password } = await newOperator(service);
    for (let time = 1; time <= 2; time += 1) {
      await service.rest('POST', '/admin/session/sign-in', { email, password: 'not the password' }, '');
    }
    const visitor = await browser.visitor();
    const page = await visitor.newPage();
    await signIn(page, service, { email, password });
    const notice = page.getByText('2 wrong passwords were sent for your user');
    await notice.waitFor();
    await page.getByRole('button', { name: 'I have read this' }).click();
    await notice.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await notice.count()).toBe(0);
    await visitor.close();
  });

  it('ends when the person signs out, also for the reload that follows', async () => {
    const visitor = await browser.visitor();
    const page = await visitor.newPage();
    await signIn(page, service, operator);
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('E-mail').waitFor();
    await page.reload();
    await page.getByLabel('E-mail').waitFor();
    await visitor.close();
  });

  it('of a user with a password made by somebody else begins with a password of its own', async () => {
    const email = 'newcomer@example.com';
    const { body: made } = await service.rest('POST', '/admin/users', { email, name: 'New' }, service.serviceToken);
    const visitor = await browser.visitor();
    const page = await visitor.newPage();
    await page.goto(`${service.baseUrl}/console/accounts`);
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(made.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Choose a password of your own' }).waitFor();
    const current = page.locator('input[type=password]').first();
    const chosen = page.locator('input[type=password]').last();
    await current.fill('not the present one');
    await chosen.fill('twelve and more characters');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Trace id').or(page.getByText('“Present password” is wrong')).first().waitFor();
    await current.fill(made.password);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await visitor.close();
  });

  it('of a service administrator works for any client, which it shows and keeps over a reload', async () => {
    const other = await service.newTenant();
    await service.rest('POST', '/accounts/resolve', { externalId: 'only-there' }, other.apiKey);
    const administrator = await newOperator(service, 'SERVICE_ADMIN');
    const visitor = await browser.visitor();
    const page = await visitor.newPage();
    await signIn(page, service, administrator, '/accounts');
    await page.getByText('No accounts yet').waitFor();
    await page.getByRole('combobox', { name: 'Client' }).fill(other.clientId);
    await page.getByRole('option', { name: other.clientId }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Accounts', exact: true }).click();
    await page.getByText('only-there').waitFor();
    await page.reload();
    await page.getByText('only-there').waitFor();
    expect(await page.getByRole('combobox', { name: 'Client' }).inputValue()).toContain(other.clientId);
    await visitor.close();
  });
});
