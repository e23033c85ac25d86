import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ok } from '../support/administration.ts';
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

let visitor: BrowserContext;
let page: Page;
beforeEach(async () => {
  visitor = await browser.visitor();
  page = await visitor.newPage();
});
afterEach(() => visitor.close());

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies as their readers would.
const post = (path: string, body: unknown = {}): Promise<any> => ok(service.rest('POST', path, body));
const open = (path: string) => signIn(page, service, operator, path);
const button = (name: string): Locator => page.getByRole('main').getByRole('button', { name, exact: true });
const told = (text: string): Promise<void> => page.getByText(text).first().waitFor();
const main = (): Promise<string> => page.getByRole('main').innerText();

describe('Words', () => {
  it('of a submit button say what it does', async () => {
    await open('/products');
    const does: Readonly<Record<string, readonly [string, string]>> = {
      '/products': ['New product', 'Create product'],
      '/events': ['New event definition', 'Create event definition'],
      '/audiences': ['New audience', 'Create audience'],
      '/rewards': ['New reward', 'Create reward'],
      '/marketplace': ['New publication', 'Create publication'],
      '/marketplace/agreements': ['New agreement', 'Create agreement'],
      '/keys': ['New key', 'Create key'],
      '/users': ['New user', 'Create user'],
    };
    for (const [path, [opens, submits]] of Object.entries(does)) {
      await page.goto(`${service.baseUrl}/console${path}`);
      await button(opens).first().click();
      await page.getByRole('dialog').locator('button[type=submit]', { hasText: submits }).waitFor();
    }
  });

  it('of one are not those of several, and an empty field is one dash', async () => {
    await open('/campaigns/new');
    await page.getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name: 'Streak' }).click();
    await page.getByLabel('Target').fill('1');
    await told('0 / 1 day');
    expect(await main()).not.toMatch(/0 \/ 1 days/);
    const product = await post('/admin/products', { name: 'Mug', stockMode: 'COUNTED' });
    await post('/admin/publications', { productId: product.id, name: 'Mugs' });
    await page.goto(`${service.baseUrl}/console/marketplace`);
    await page.getByRole('row').filter({ hasText: 'Mugs' }).first().waitFor();
    // Names are looked up after the rows have come.
    await expect.poll(emptyCells).toEqual([]);
    await page.goto(`${service.baseUrl}/console/users`);
    await page.getByRole('row').filter({ hasText: operator.email }).waitFor();
    expect(await main()).not.toContain('Not yet');
    await expect.poll(emptyCells).toEqual([]);
  });

  it('above numbers end where the numbers end', async () => {
    await post('/admin/products', { name: 'Mug for points', stockMode: 'COUNTED', pointsCost: 12_345 });
    await open('/products');
    await page.getByRole('row').filter({ hasText: 'Mug for points' }).waitFor();
    const ends = await page.evaluate(() => {
      const endOf = (element: Element | undefined) => {
        const range = document.createRange();
        range.selectNodeContents(element!);
        return Math.round(range.getBoundingClientRect().right);
      };
      const index = [...document.querySelectorAll('th')].findIndex(({ innerText }) => innerText === 'Price in points');
      return [...document.querySelectorAll('tr')].map((row) => endOf(row.children[index]));
    });
    expect(new Set(ends).size).toBe(1);
  });

  /** Headings of cells in which nothing stands at all. */
  function emptyCells(): Promise<string[]> {
    return page.evaluate(() =>
      [...document.querySelectorAll('td[data-label]')]
        .filter((cell) => cell.textContent?.trim() === '')
        .map((cell) => cell.getAttribute('data-label') ?? ''),
    );
  }
});

describe('A warning of the activation', () => {
  it('is told once, however many missions have it', async () => {
    const warnings = [1, 2].map((index) => ({
      field: `missions[${index}]`,
      message: 'The product has too few units.',
    }));
    const { campaign } = await campaignToActivate();
    await open(`/campaigns/${campaign}`);
    // What the service tells twice is made here, because it tells its own findings once.
    await page.route(/\/GetActivationPreview$/, async (route) => {
      await route.fulfill({ json: { preview: { members: 1, warnings } }, contentType: 'application/json' });
    });
    await button('Activate').click();
    await page.getByRole('dialog').getByText('too few units').first().waitFor();
    expect(await page.getByRole('dialog').getByText('too few units').count()).toBe(1);
  });

  async function campaignToActivate(): Promise<{ campaign: string }> {
    const audience = await post('/admin/audiences', { name: 'Warned', kind: 'EVERYONE' });
    const prize = await post('/admin/rewards', { name: 'Warned', type: 'POINTS', amount: 1 });
    await post('/admin/event-definitions', { programmaticCode: 'WARNED', type: 'SINGLE' });
    const missions = [{ type: 'MISSION', name: 'Warn', programmaticCode: 'WARNED', target: 1 }];
    const { id } = await post('/admin/campaigns', {
      name: 'Warned',
      audienceIds: [audience.id],
      rewardIds: [prize.id],
      missions,
    });
    return { campaign: id };
  }
});
