import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedService, type TestService } from '../support/service.ts';
import { launchBrowser, newOperator, signIn, type TestBrowser } from './support/browser.ts';

let service: TestService;
let browser: TestBrowser;
beforeAll(async () => {
  service = await sharedService();
  browser = await launchBrowser();
  await service.rest('POST', '/accounts/resolve', { externalId: 'ada' });
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

/** Entries of the navigation that only some roles see. */
const RESTRICTED = ['API keys', 'Console users', 'Clients'];

/** The view of each role: the button that creates at an address, and the pages that it may not open. */
const FINDS = {
  VIEWER: { campaign: false, adjust: false, imports: false },
  SUPPORT: { campaign: false, adjust: true, imports: false },
  MARKETER: { campaign: true, adjust: false, imports: true },
  CLIENT_ADMIN: { campaign: true, adjust: true, imports: true },
} as const;

describe.each(Object.entries(FINDS))('a %s', (role, finds) => {
  it('finds what the role may do and nothing else, and reads so at an address', async () => {
    const operator = await newOperator(service, role as keyof typeof FINDS);
    const visitor = await browser.visitor();
    const page = await visitor.newPage();
    await signIn(page, service, operator, '/campaigns');
    const open = async (path: string, heading: string) => {
      await page.goto(`${service.baseUrl}/console${path}`);
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    };
    const count = (name: string, kind: 'link' | 'button' = 'button') => page.getByRole(kind, { name }).count();

    await page.getByRole('heading', { name: 'Campaigns', level: 1 }).waitFor();
    await page.getByText('No campaigns yet').waitFor();
    expect((await count('New campaign', 'link')) > 0).toBe(finds.campaign);
    const administers = role === 'CLIENT_ADMIN';
    const entries = await page.getByRole('navigation').getByRole('link').allInnerTexts();
    const restricted = entries.filter((entry) => RESTRICTED.includes(entry));
    expect(restricted.length > 0, entries.join()).toBe(administers);

    await open('/campaigns/new', finds.campaign ? 'New campaign' : 'Your role does not include this page');
    await open('/imports/new', finds.imports ? 'New import' : 'Your role does not include this page');
    await open('/users', administers ? 'Console users' : 'Your role does not include this page');

    await open('/accounts', 'Accounts');
    await page.getByRole('link', { name: 'ada' }).first().click();
    await page.getByRole('heading', { name: 'ada', level: 1 }).waitFor();
    expect((await count('Adjust points')) > 0).toBe(finds.adjust);
    await visitor.close();
  });
});

it('an administrator gives a role by its name and reads what it may do', async () => {
  const visitor = await browser.visitor();
  const page = await visitor.newPage();
  await signIn(page, service, await newOperator(service), '/users');
  await page.getByRole('button', { name: 'New user' }).first().click();
  await page.getByLabel('E-mail').last().fill('vera@example.com');
  await page
    .getByRole('combobox', { name: 'Role' })
    .or(page.getByRole('textbox', { name: 'Role' }))
    .last()
    .click();
  await page.getByRole('option', { name: /^Viewer/ }).click();
  await page.getByText('changes nothing').first().waitFor();
  await page.getByRole('button', { name: 'Create user' }).click();
  await page.getByText('It is shown this once', { exact: false }).waitFor();
  const { body } = await service.rest('GET', '/admin/users/paginated?page=1&limit=100');
  const vera = (body.rows as { email: string; role: string }[]).find(({ email }) => email === 'vera@example.com');
  expect(vera?.role).toBe('VIEWER');
  await visitor.close();
}, 60_000);
