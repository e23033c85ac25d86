import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sharedService, type Tenant, type TestService } from '../support/service.ts';
import { launchBrowser, newOperator, type Operator, signIn, type TestBrowser } from './support/browser.ts';

/** One more row than fits a page of 25. */
const GUESTS = 26;

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
  const numbers = Array.from({ length: GUESTS }, (_, index) => String(index + 1).padStart(2, '0'));
  await Promise.all(numbers.map((number) => resolve(`guest-${number}`, service.apiKey)));
  await resolve('only-there', other.apiKey);
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

let visitor: BrowserContext;
let page: Page;
beforeEach(async () => {
  visitor = await browser.visitor();
  page = await visitor.newPage();
});
afterEach(() => visitor.close());

async function resolve(externalId: string, key: string): Promise<void> {
  const { status } = await service.rest('POST', '/accounts/resolve', { externalId }, key);
  expect(status).toBeLessThan(300);
}

/** By the navigation, because the overview's number of accounts has the same name until the number is loaded. */
const toAccounts = () => page.getByRole('navigation').getByRole('link', { name: 'Accounts', exact: true }).click();
const rows = (range: string) => page.getByText(range, { exact: true }).waitFor();
const query = () => new URL(page.url()).searchParams;
const search = () => page.getByLabel('Search', { exact: true });
const stored = () => page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');

/** Loads the whole page again, as for a colleague with the address. */
async function open(path: string): Promise<void> {
  await page.goto(`${service.baseUrl}/console${path}`);
}

describe('What a table is narrowed by', () => {
  it('stands in the address alone: the page without it shows everything, and the browser keeps none of it', async () => {
    await signIn(page, service, operator, '/accounts');
    await search().fill('guest-07');
    await rows('1–1 of 1');
    await expect.poll(() => query().get('search')).toBe('guest-07');
    expect(await stored()).not.toContain('guest-07');
    const address = page.url();
    await toAccounts();
    await rows('1–25 of 26');
    expect(await search().inputValue()).toBe('');
    await page.goto(address);
    await rows('1–1 of 1');
    expect(await search().inputValue()).toBe('guest-07');
  });

  it('that an earlier version kept in the browser is forgotten', async () => {
    await signIn(page, service, operator, '/events');
    const kept = JSON.stringify({ limit: 50, values: { externalId: 'guest-07' } });
    await page.evaluate(`localStorage.setItem('laurel.table.accounts', ${JSON.stringify(kept)})`);
    await open('/accounts');
    await rows('1–26 of 26');
    expect(await stored()).not.toContain('guest-07');
  });

  it("is stepped through by the browser's back button, not letter by letter", async () => {
    await signIn(page, service, operator, '/accounts');
    await rows('1–25 of 26');
    // Slower than a pause in typing, so that the table follows each letter.
    await search().pressSequentially('guest-1', { delay: 300 });
    await rows('1–10 of 10');
    await search().press('Enter');
    await search().pressSequentially('2', { delay: 300 });
    await rows('1–1 of 1');
    await page.goBack();
    await rows('1–10 of 10');
    expect(await search().inputValue()).toBe('guest-1');
    await page.goBack();
    await rows('1–25 of 26');
    expect(await search().inputValue()).toBe('');
    await page.getByRole('button', { name: 'Page 2' }).click();
    await rows('26–26 of 26');
    await page.goBack();
    await rows('1–25 of 26');
  });

  it('is gone when another client is chosen', async () => {
    await signIn(page, service, administrator, '/accounts');
    await search().fill('guest-07');
    await rows('1–1 of 1');
    await page.getByRole('combobox', { name: 'Client' }).fill(other.clientId);
    await page.getByRole('option', { name: other.clientId }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await toAccounts();
    await page.getByText('only-there').waitFor();
    expect(await search().inputValue()).toBe('');
  });

  it('is gone after signing out', async () => {
    await signIn(page, service, operator, '/accounts?search=ada%40example.com');
    await page.getByText('Nothing matches').waitFor();
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('Password', { exact: true }).waitFor();
    expect(page.url()).not.toContain('ada');
    expect(await stored()).not.toContain('ada');
    await signIn(page, service, operator);
    await toAccounts();
    await rows('1–25 of 26');
  });

  it('is in no address of the sign-in, and is there again after it', async () => {
    const addresses: string[] = [];
    page.on('framenavigated', (frame) => addresses.push(frame.url()));
    await open('/accounts?search=guest-07');
    await page.getByLabel('Password', { exact: true }).waitFor();
    const signInAddresses = addresses.filter((address) => address.includes('/sign-in'));
    expect(signInAddresses).not.toEqual([]);
    expect(signInAddresses.filter((address) => decodeURIComponent(address).includes('guest-07'))).toEqual([]);
    await signIn(page, service, operator);
    await rows('1–1 of 1');
    expect(query().get('search')).toBe('guest-07');
    expect(await stored()).not.toContain('guest-07');
  });
});

describe('A page number beyond the end', () => {
  it('leads to the last page', async () => {
    await signIn(page, service, operator, '/accounts?page=99');
    await rows('26–26 of 26');
    expect(query().get('page')).toBe('2');
  });
});

describe('A day in an address that no calendar has', () => {
  it.each(['2026-02-30', '2026-13-01', 'tomorrow'])('%s is not taken for another one', async (day) => {
    const field = (name: string) => page.getByLabel(name, { exact: true });
    await signIn(page, service, operator, `/audit?from=${day}&until=${day}`);
    await page.getByRole('heading', { name: 'Audit log' }).waitFor();
    expect([await field('From').inputValue(), await field('To').inputValue()]).toEqual(['', '']);
    await open(`/simulator?at=${day}T10:00:00.000Z`);
    await page.getByRole('heading', { name: 'Simulator' }).waitFor();
    expect(await page.locator('input[type=datetime-local]').inputValue()).toBe('');
    await open('/campaigns/calendar');
    const shown = () => page.getByRole('main').innerText();
    await page.getByText('Nothing runs in this time').waitFor();
    const ofToday = await shown();
    await open(`/campaigns/calendar?from=${day}`);
    await expect.poll(shown).toBe(ofToday);
  });

  it('leaves one that exists as it is, a leap day among them', async () => {
    await signIn(page, service, operator, '/audit?from=2024-02-29&until=2026-02-28');
    await expect.poll(() => page.getByLabel('From', { exact: true }).inputValue()).toBe('2024-02-29');
    await open('/simulator?at=2024-02-29T10:00:00.000Z');
    await expect.poll(() => page.locator('input[type=datetime-local]').inputValue()).toBe('2024-02-29T10:00');
  });
});

describe('The client', () => {
  it('is in the address of every page and of every link', async () => {
    await signIn(page, service, operator);
    await expect.poll(() => query().get('client')).toBe(service.clientId);
    await toAccounts();
    await rows('1–25 of 26');
    expect(query().get('client')).toBe(service.clientId);
    const hrefs = await page
      .locator('a[href^="/console"]')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    const links = hrefs.map((href) => new URL(href, service.baseUrl));
    expect(links.length).toBeGreaterThan(GUESTS);
    expect(links.filter(({ searchParams }) => searchParams.get('client') !== service.clientId)).toEqual([]);
  });

  it("of a colleague's link is the one that is shown, whichever was chosen, and the back button returns to the other", async () => {
    await signIn(page, service, administrator, '/accounts');
    await rows('1–25 of 26');
    await open(`/accounts?client=${other.clientId}`);
    await page.getByText('only-there').waitFor();
    const client = page.getByRole('combobox', { name: 'Client' });
    await expect.poll(() => client.inputValue()).toContain(other.clientId);
    await client.fill(service.clientId);
    await page.getByRole('option', { name: service.clientId }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await expect.poll(() => client.inputValue()).toContain(service.clientId);
    await page.goBack();
    await page.getByText('only-there').waitFor();
    expect(await page.getByText('guest-01').count()).toBe(0);
  });

  it('of a link that the person has no access to, or that is none, is explained in words', async () => {
    await signIn(page, service, operator);
    await open(`/accounts?client=${other.clientId}`);
    await page.getByRole('heading', { name: 'This link is for another client' }).waitFor();
    await page.getByRole('link', { name: 'To my client' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(query().get('client')).toBe(service.clientId);
    await visitor.clearCookies();
    await open(`/accounts?client=${crypto.randomUUID()}`);
    await page.getByLabel('E-mail').fill(administrator.email);
    await page.getByLabel('Password', { exact: true }).fill(administrator.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'This link is for another client' }).waitFor();
  });
});
