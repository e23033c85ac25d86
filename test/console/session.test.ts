import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { launchBrowser, newOperator, type Operator, signIn, type TestBrowser } from './support/browser.ts';

let service: TestService;
let browser: TestBrowser;
let operator: Operator;
beforeAll(async () => {
  service = await startService();
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
    expect(new URL(page.url()).search).toBe('?page=1&limit=50');
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
    expect(cookies.map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite }))).toEqual([
      { name: 'laurel_session', httpOnly: true, sameSite: 'Strict' },
    ]);
    await visitor.close();
  });

  it('that has ended asks to sign in again and returns to the same page', async () => {
    const visitor = await browser.visitor();
    const page = await visitor.newPage();
    await signIn(page, service, operator, '/accounts');
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
    // As if the hour were over and the cookie with it: nothing of the session is accepted any more.
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
    // The service forgets a revoked token within a second; asking for another page until then is still answered.
    await service.db.unitOfWork(service.clientId, (uow) => uow.query('delete from console_token'));
    const ended = page.getByText('Your session has ended');
    await vi.waitFor(
      async () => {
        if (await ended.isVisible()) return;
        await page.getByRole('link', { name: 'Accounts' }).click({ timeout: 1_000 });
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
});
