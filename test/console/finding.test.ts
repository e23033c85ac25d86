import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { goTos } from '../../src/console/palette/shortcuts.ts';
import { ok } from '../support/administration.ts';
import { sharedService, type TestService } from '../support/service.ts';
import { launchBrowser, newOperator, type Operator, signIn, type TestBrowser } from './support/browser.ts';
import { type CoffeeShop, openCoffeeShop } from './support/coffee-shop.ts';

const screenshots = fileURLToPath(new URL('../../dist/screenshots/finding', import.meta.url));
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let service: TestService;
let browser: TestBrowser;
let operator: Operator;
let shop: CoffeeShop;
beforeAll(async () => {
  mkdirSync(screenshots, { recursive: true });
  service = await sharedService();
  [browser, operator, shop] = await Promise.all([launchBrowser(), newOperator(service), openCoffeeShop(service)]);
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await shop?.receiver.close();
  await service?.close();
});

let visitor: BrowserContext;
let page: Page;
beforeEach(async () => {
  visitor = await browser.visitor({ reducedMotion: 'reduce' });
  page = await visitor.newPage();
});
afterEach(() => visitor.close());

const field = (): Locator => page.getByRole('combobox', { name: /by name or id/ });
const options = (): Locator => page.getByRole('listbox', { name: 'Find anything' }).getByRole('option');
/** The first choice, after the answer to the typed text. */
const answered = (): Locator => page.locator('[role="listbox"][aria-busy="false"] [role="option"]').first();
const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const path = () => new URL(page.url()).pathname.replace('/console', '');

/** Opens the search by its keys, types, and waits for the answer. */
async function find(text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await field().waitFor();
  await page.keyboard.type(text);
}

describe('Ctrl-K', { timeout: 60_000 }, () => {
  it.each([
    ['an account by its external id', 'guest-ada', /guest-ada/, () => `/accounts/${shop.ids['/accounts/:id']}`],
    ['a campaign by part of its name', 'welcome to corn', /^Welcome/, () => `/campaigns/${shop.ids['/campaigns/:id']}`],
    ['a product by its name', 'bag of beans', /^Bag of beans$/, () => `/products/${shop.ids['/products/:id']}`],
    ['an audience', 'newsletter', /^Newsletter/, () => `/audiences/${shop.ids['/audiences/:id']}`],
    ['a leaderboard', 'spent this', /^Spent this month$/, () => `/leaderboards/${shop.ids['/leaderboards/:id']}`],
    ['a page below another', 'agreem', /^Agreements$/, () => '/marketplace/agreements'],
    ['the webhooks by what they tell', 'stock low', /^Webhooks/, () => '/webhooks'],
  ])('goes to %s by keyboard alone', async (_, text, option, address) => {
    await signIn(page, service, operator);
    await find(text);
    await options().filter({ hasText: option }).first().waitFor();
    const texts = await options().allInnerTexts();
    for (let index = texts.findIndex((each) => option.test(each)); index > 0; index -= 1)
      await page.keyboard.press('ArrowDown');
    const active = await field().getAttribute('aria-activedescendant');
    expect(await page.locator(`[id="${active}"]`).innerText()).toMatch(option);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === `/console${address()}`);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('finds whatever has an id by it, before anything else', async () => {
    await signIn(page, service, operator);
    for (const route of ['/accounts/:id', '/campaigns/:id', '/products/:id', '/rewards/chests/:id']) {
      const id = shop.ids[route]!;
      await find(id);
      await answered().waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.pathname.endsWith(`/${id}`));
      expect(path()).toBe(route.replace(':id', id));
    }
    const delivery = shop.ids['/webhooks/deliveries/:id']!;
    await find(delivery);
    await options().filter({ hasText: delivery }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname.endsWith(`/webhooks/deliveries/${delivery}`));
  });

  it('finds an event by its operation id, and goes to it in the journal', async () => {
    const operationId = `order-${crypto.randomUUID()}`;
    const event = { programmaticCode: 'PURCHASE', accountId: 'found', idType: 'EXTERNAL', metadata: { amount: 1 } };
    await ok(service.rest('POST', '/gamification/triggers', { ...event, operationId }));
    await signIn(page, service, operator);
    await find(operationId);
    await options().filter({ hasText: operationId }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(
      (url) => url.pathname.endsWith('/journal') && url.searchParams.get('operation') === operationId,
    );
  });

  it('goes to the row of what has no page of its own', async () => {
    await signIn(page, service, operator);
    await find('cinema');
    await page.getByRole('group', { name: 'Rewards' }).getByRole('option', { name: 'Cinema voucher' }).click();
    await heading('Rewards');
    await page.getByText('1–1 of 1').waitFor();
    await page.getByRole('cell', { name: 'Cinema voucher' }).first().waitFor();
  });

  it('keeps every letter that is typed before its own code has come, and what follows it', async () => {
    await signIn(page, service, operator, '/accounts');
    let arrive = (): void => undefined;
    const arrived = new Promise<void>((done) => (arrive = done));
    await page.route(/\/assets\/palette-.*\.js$/, async (route) => {
      await arrived;
      await route.continue();
    });
    // The focus is in a field of the page, which must not receive the keys.
    const search = page.getByRole('search').getByRole('textbox').first();
    await search.click();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('bagg of');
    for (let back = 0; back < 4; back += 1) await page.keyboard.press('Backspace');
    await page.keyboard.type(' of');
    expect(await page.getByRole('dialog').count()).toBe(0);
    arrive();
    await page.keyboard.type(' beans g', { delay: 20 });
    await field().and(page.locator(':focus')).waitFor();
    await page.keyboard.type('?', { delay: 20 });
    expect(await field().inputValue()).toBe('bag of beans g?');
    expect(await search.inputValue()).toBe('');
  });

  it('is given up by Escape before its code has come', async () => {
    await signIn(page, service, operator);
    await page.route(/\/assets\/palette-.*\.js$/, () => undefined);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('ada');
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  });

  it('begins with what was used last, and forgets it with the person', async () => {
    await signIn(page, service, operator);
    await find('guest-ben');
    await options().filter({ hasText: 'guest-ben' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/accounts\/.+/);
    await page.keyboard.press('Control+k');
    await page
      .getByRole('group', { name: 'Recently used' })
      .getByRole('option', { name: /guest-ben/ })
      .waitFor();
    expect(await options().first().innerText()).toContain('guest-ben');
    await page.keyboard.press('Escape');
    await field().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('E-mail').waitFor();
    await signIn(page, service, await newOperator(service, 'SUPPORT'));
    await page.keyboard.press('Control+k');
    await options().first().waitFor();
    expect(await page.getByText('Recently used').count()).toBe(0);
  });

  it('shows a viewer no page and no client that the role does not have', async () => {
    await signIn(page, service, await newOperator(service, 'VIEWER'));
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await find('c');
    await options().filter({ hasText: 'Campaigns' }).waitFor();
    expect(
      await options()
        .filter({ hasText: /API keys|Clients|Console users/ })
        .count(),
    ).toBe(0);
    await page.keyboard.type('orner');
    await page.getByRole('group', { name: 'Campaigns' }).waitFor();
    expect(asked.filter((url) => url.includes('ListClients'))).toEqual([]);
  });

  it('changes the client of a service administrator', async () => {
    const other = `Tea house ${crypto.randomUUID().slice(0, 6)}`;
    const made = await service.rest('POST', '/admin/clients', { name: other, timeZone: 'UTC' }, service.serviceToken);
    expect(made.status).toBe(201);
    await signIn(page, service, await newOperator(service, 'SERVICE_ADMIN'));
    await find(other);
    await page.getByRole('group', { name: 'Change to the client' }).getByRole('option', { name: other }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('combobox', { name: 'Client' }).inputValue()).toBe(other);
  });

  it('says that nothing has a name, and asks for no more than a page of each kind', async () => {
    await signIn(page, service, operator);
    const limits: string[] = [];
    page.on('request', (request) => {
      if (/List[A-Z]/.test(request.url())) limits.push(request.url());
    });
    await find('no such thing anywhere');
    await page.getByText('Nothing has this name or id').waitFor();
    await page.getByText('Nothing found', { exact: true }).waitFor({ state: 'attached' });
    // One call per kind for a text that is typed in one go.
    expect(limits.length).toBeLessThan(20);
  });

  it('is found by a button on a phone, in the dark and in Spanish, without serious faults of axe', async () => {
    await page.setViewportSize({ width: 390, height: 780 });
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await page.addInitScript(() =>
      localStorage.setItem('laurel.preferences', JSON.stringify({ language: 'es', timeZone: 'UTC' })),
    );
    await page.goto(`${service.baseUrl}/console/`);
    await page.locator('input[type="email"], input[name="email"], input').first().fill(operator.email);
    await page.locator('input[type="password"]').fill(operator.password);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Buscar', exact: true }).click();
    await page.getByRole('combobox', { name: /por nombre o id/ }).fill('guest');
    await page.getByRole('option', { name: /guest-ada/ }).waitFor();
    await page.screenshot({ path: `${screenshots}/palette-phone-dark-es.png` });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect(await faults()).toEqual([]);
  });
});

describe('Shortcuts', { timeout: 60_000 }, () => {
  it('are listed by "?", each of which does what it says', async () => {
    await signIn(page, service, operator);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.getByText('Find anything').waitFor();
    await page.screenshot({ path: `${screenshots}/shortcuts.png` });
    expect(await faults()).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(new Set(goTos.map(({ shortcut }) => shortcut)).size).toBe(goTos.length);
    for (const { shortcut, path: to } of goTos.toReversed()) {
      await page.keyboard.press('g');
      await page.keyboard.press(shortcut);
      await page.waitForURL((url) => url.pathname === `/console${to}`.replace(/[/]$/, ''));
    }
  });

  it('focus the search box of a list, and mean nothing while somebody types', async () => {
    await signIn(page, service, operator, '/products');
    const search = page.getByRole('search').getByLabel('Search', { exact: true });
    await search.waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('g c/?');
    expect(await search.inputValue()).toBe('g c/?');
    expect(path()).toBe('/products');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('save the form by Ctrl-S, and open nothing above its dialog', async () => {
    await signIn(page, service, operator, '/audiences');
    await page.getByRole('button', { name: 'New audience' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('By keyboard');
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Control+s');
    await page.getByText('By keyboard').first().waitFor();
    expect(await field().count()).toBe(0);
  });
});

async function faults(): Promise<unknown[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    // oxlint-disable-next-line typescript/no-explicit-any -- axe is a script of the page.
    const { violations } = await (globalThis as any).axe.run();
    return violations
      .filter(({ impact }: { impact: string }) => ['serious', 'critical'].includes(impact))
      .map(({ id, nodes }: { id: string; nodes: { html: string }[] }) => [id, nodes[0]?.html]);
  });
}
