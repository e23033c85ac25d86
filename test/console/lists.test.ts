import { readFile } from 'node:fs/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sharedService, type TestService } from '../support/service.ts';
import { launchBrowser, newOperator, type Operator, signIn, type TestBrowser } from './support/browser.ts';

/** More rows than two pages of 25. */
const GUESTS = 60;

let service: TestService;
let browser: TestBrowser;
let operator: Operator;
beforeAll(async () => {
  service = await sharedService();
  [browser, operator] = await Promise.all([launchBrowser(), newOperator(service)]);
  for (let index = 0; index < GUESTS; index += 1) {
    const number = String((index * 37) % GUESTS).padStart(2, '0');
    const body = { externalId: `guest-${number}`, name: index % 2 === 0 ? `=Name, ${number}` : `Other ${number}` };
    expect((await service.rest('POST', '/accounts', body, service.apiKey)).status).toBe(201);
  }
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

const heading = (name: string) => page.getByRole('columnheader', { name, exact: true });
const firstCells = () => page.locator('tbody tr td:first-child').allInnerTexts();
const guest = (number: number) => `guest-${String(number).padStart(2, '0')}`;

describe('A list of several pages', () => {
  it('is ordered as a whole by a column, says so in the address and to screen readers, and is so again after going back', async () => {
    await signIn(page, service, operator, '/accounts');
    await page.getByText('1–25 of 60').waitFor();
    await heading('External id').getByRole('button').press('Enter');
    await expect.poll(firstCells).toEqual(Array.from({ length: 25 }, (_, index) => guest(index)));
    expect(await heading('External id').getAttribute('aria-sort')).toBe('ascending');
    await heading('External id').getByRole('button').click();
    await expect.poll(firstCells).toEqual(Array.from({ length: 25 }, (_, index) => guest(59 - index)));
    expect(await heading('External id').getAttribute('aria-sort')).toBe('descending');
    await page.getByRole('button', { name: 'Page 2' }).click();
    const second = Array.from({ length: 25 }, (_, index) => guest(34 - index));
    await expect.poll(firstCells).toEqual(second);
    expect(new URL(page.url()).searchParams.get('order')).toBe('-externalId');
    await page.getByRole('link', { name: guest(34) }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('button', { name: /^Copy [0-9a-f-]{36}$/ }).waitFor();
    await page.goBack();
    await expect.poll(firstCells).toEqual(second);
    // A column that the service cannot order by has no sort button.
    expect(await heading('Time zone').getByRole('button').count()).toBe(0);
  });

  it('is found by one box, and its file holds what is found on all pages, in the order', async () => {
    await signIn(page, service, operator, '/accounts?order=-externalId');
    await page.getByLabel('Search', { exact: true }).fill('NAME, ');
    await page.getByText('1–25 of 30').waitFor();
    const shown = await firstCells();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toBe('accounts.csv');
    const [head, ...lines] = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
    const column = head!.replace('\uFEFF', '').split(',').indexOf('externalId');
    const inFile = lines.map((line) => line.split(',')[column]);
    expect(inFile).toHaveLength(30);
    expect(inFile.slice(0, 25)).toEqual(shown);
    expect(inFile).toEqual(inFile.toSorted((a, b) => (a! < b! ? 1 : -1)));
    expect(lines.every((line) => line.includes(`"'=Name, `))).toBe(true);
  });

  it('has all of it on a phone, without scrolling sideways', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await signIn(page, service, operator, '/accounts');
    await page.getByRole('button', { name: 'CSV' }).waitFor();
    await page.getByLabel('Search', { exact: true }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });
});
