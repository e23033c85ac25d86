import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { en } from '../../src/console/messages/en/index.ts';
import { withCookie } from '../operations/clients/console.ts';
import { startProvider, type TestProvider } from '../operations/clients/oidc-provider.ts';
import { OIDC_CLIENT } from '../operations/clients/oidc-way.ts';
import { startService, type TestService } from '../support/service.ts';
import { launchBrowser, newOperator, type Operator, type TestBrowser } from './support/browser.ts';

/** The service and the provider both read it at the first sign-in, after the port of the service is known. */
const redirectUri = new URL('http://127.0.0.1:1/admin/session/oidc/callback');

let service: TestService;
let provider: TestProvider;
let browser: TestBrowser;
let operator: Operator;
beforeAll(async () => {
  provider = await startProvider({ redirectUri, host: 'localhost' });
  service = await startService({ oidc: { issuer: provider.issuer, redirectUri, ...OIDC_CLIENT } });
  redirectUri.port = String(service.app.port);
  [browser, operator] = await Promise.all([launchBrowser(), newOperator(service)]);
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await service?.close();
  await provider?.close();
});

/** Opens a page of the console, and leaves for the provider, which is another site. */
async function leave(path: string) {
  const visitor = await browser.visitor();
  const page = await visitor.newPage();
  await page.goto(`${service.baseUrl}/console${path}`);
  await page.getByRole('link', { name: `Continue with ${provider.issuer.host}` }).click();
  await page.waitForURL(`${provider.issuer.origin}/**`);
  const signIn = async (login: string) => {
    await page.getByPlaceholder('Enter any login').fill(login);
    await page.getByPlaceholder('and password').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
  };
  return { page, visitor, signIn };
}

describe('The way by a provider', () => {
  it('begins a session that goes on after a reload, on the page where the person wanted to go', async () => {
    provider.people.set('olivia', { email: operator.email, email_verified: true });
    const { page, visitor, signIn } = await leave('/events?page=1&limit=50');
    await signIn('olivia');
    await page.getByRole('heading', { name: 'Event definitions' }).waitFor();
    expect(new URL(page.url())).toMatchObject({
      pathname: '/console/events',
      search: `?page=1&limit=50&client=${service.clientId}`,
    });
    await page.reload();
    await page.getByRole('heading', { name: 'Event definitions' }).waitFor();
    const cookies = await visitor.cookies(service.baseUrl);
    const kept = cookies.map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite }));
    expect(kept.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
      { name: 'laurel_device', httpOnly: true, sameSite: 'Strict' },
      { name: 'laurel_session', httpOnly: true, sameSite: 'Strict' },
    ]);
    await visitor.close();
  });

  it('goes on in another tab where a session has ended, and the page that was left is as it was', async () => {
    provider.people.set('olivia', { email: operator.email, email_verified: true });
    const { page, visitor, signIn } = await leave('/events');
    let authorization = '';
    page.on('request', (request) => {
      authorization = request.headers()['authorization'] ?? authorization;
    });
    await signIn('olivia');
    await page.getByRole('button', { name: 'New event definition' }).first().click();
    await page.getByRole('dialog').getByLabel('Code').fill('KEPT_OVER');
    await service.db.unitOfWork(service.clientId, (uow) => uow.query('delete from console_token'));
    await visitor.clearCookies({ name: 'laurel_session' });
    const answer = () => fetch(`${service.baseUrl}/admin/session`, { headers: { authorization } });
    // The service caches tokens for a moment.
    await expect.poll(async () => (await answer()).status, { timeout: 10_000 }).toBe(401);
    await page.getByRole('dialog').getByRole('button', { name: 'Create event definition' }).click();
    await page.getByText('Your session has ended').waitFor();
    const [tab] = await Promise.all([
      visitor.waitForEvent('page'),
      page.getByRole('link', { name: `Continue with ${provider.issuer.host}` }).click(),
    ]);
    await tab.getByRole('heading', { name: 'Overview' }).waitFor();
    await tab.close();
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await page.getByRole('dialog').waitFor();
    expect(await page.getByRole('dialog').getByLabel('Code').inputValue()).toBe('KEPT_OVER');
    await visitor.close();
  });

  it('asks a person with users of two clients for which, and leads to that one without a second sign-in', async () => {
    const email = 'twice@example.com';
    const other = await service.newTenant();
    await service.rest('POST', '/admin/users', { email, name: 'Tove' });
    await service.rest('POST', '/admin/users', { email, name: 'Tove' }, other.adminToken);
    provider.people.set('tove', { email, email_verified: true });
    const { page, visitor, signIn } = await leave('/events');
    await signIn('tove');
    await page.getByRole('heading', { name: en.signIn.choose }).waitFor();
    await page.getByRole('link', { name: `client ${other.clientId}` }).click();
    await page.getByRole('heading', { name: 'Event definitions' }).waitFor();
    const cookie = (await visitor.cookies(service.baseUrl)).find(({ name }) => name === 'laurel_session');
    const renewed = await withCookie(service, '/admin/session/refresh', `laurel_session=${cookie!.value}`);
    expect(renewed.body.session.client.id).toBe(other.clientId);
    await visitor.close();
  });

  it('leads back to the sign-in with words, where another way is open', async () => {
    provider.people.set('mallory', { email: 'mallory@example.com', email_verified: true });
    const { page, visitor, signIn } = await leave('/');
    await signIn('mallory');
    await page.getByText(en.signIn.failed.UNKNOWN_USER).waitFor();
    await page.getByLabel('E-mail').waitFor();
    await visitor.close();
  });

  it('that is called off leads back to the sign-in as well', async () => {
    const { page, visitor } = await leave('/');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByText(en.signIn.failed.OIDC_DENIED).waitFor();
    await visitor.close();
  });
});

describe('The sign-in page', () => {
  it('has words of its own for every failure, and shows none of a link that somebody made up', async () => {
    const visitor = await browser.visitor();
    const page = await visitor.newPage();
    const { OIDC_FAILED, ...others } = en.signIn.failed;
    for (const [code, words] of [...Object.entries(others), ['Call 555-0100 to unlock your account', OIDC_FAILED]]) {
      await page.goto(`${service.baseUrl}/console/sign-in?${new URLSearchParams({ signInError: code! })}`);
      await page.getByText(words!, { exact: true }).waitFor();
      expect(await page.getByText('555-0100').count()).toBe(0);
    }
    await visitor.close();
  });
});
