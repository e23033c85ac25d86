import { readFile } from 'node:fs/promises';
import { strFromU8, unzipSync } from 'fflate';
import type { BrowserContext, Download, Page } from 'playwright-core';
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

async function saveAs(kind: string): Promise<Download> {
  await page.getByRole('button', { name: 'Download' }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: kind }).click();
  return saved;
}

/** The cells of an XLSX file: `A1` is the first one of the first row. A number may be a moment. */
function sheetOf(file: Uint8Array): ({ text?: string; number?: number } | undefined)[][] {
  const parts = unzipSync(file);
  const part = (name: string) => strFromU8(parts[name] ?? new Uint8Array());
  const texts = [...part('xl/sharedStrings.xml').matchAll(/<si>.*?<t[^>]*>(.*?)<\/t>.*?<\/si>/gs)].map(
    ([, text]) => text,
  );
  return [...part('xl/worksheets/sheet1.xml').matchAll(/<row .*?<\/row>/gs)].map(([row]) => {
    const cells: ({ text?: string; number?: number } | undefined)[] = [];
    for (const [, column = '', type, value] of row.matchAll(
      /<c r="([A-Z])\d+"(?:[^>]*? t="(\w+)")?[^>]*>.*?<v>(.*?)<\/v>/gs,
    )) {
      const text = type === 's' ? texts[Number(value)] : undefined;
      cells[column.charCodeAt(0) - 65] = text === undefined ? { number: Number(value) } : { text };
    }
    return cells;
  });
}

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
    const file = await saveAs('CSV with all fields and ids');
    expect(file.suggestedFilename()).toBe('accounts-raw.csv');
    const [head, ...lines] = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
    const column = head!.replace('\uFEFF', '').split(',').indexOf('externalId');
    const inFile = lines.map((line) => line.split(',')[column]);
    expect(inFile).toHaveLength(30);
    expect(inFile.slice(0, 25)).toEqual(shown);
    expect(inFile).toEqual(inFile.toSorted((a, b) => (a! < b! ? 1 : -1)));
    expect(lines.every((line) => line.includes(`"'=Name, `))).toBe(true);
  });

  it('is saved for people: columns as shown, moments and digits that a spreadsheet reckons with, and texts that are no formulas', async () => {
    await signIn(page, service, operator, '/accounts?order=externalId');
    await page.getByText('1–25 of 60').waitFor();
    const shown = await page.locator('tbody tr').first().locator('td').allInnerTexts();
    const [head, ...rows] = sheetOf(await readFile(await (await saveAs('Spreadsheet (XLSX), as shown')).path()));
    expect(head).toEqual(['External id', 'Name', 'E-mail', 'Time zone', 'Created'].map((text) => ({ text })));
    expect(rows).toHaveLength(GUESTS);
    // An empty cell is none, and a day is a number of days.
    const [externalId, name, email, timeZone, created] = rows[0]!;
    expect([externalId, name, timeZone].map((cell) => cell?.text)).toEqual([shown[0], shown[1], shown[3]]);
    expect(name?.text).toBe('=Name, 00');
    expect(email).toBeUndefined();
    expect(Math.floor(created?.number ?? 0)).toBe(Math.floor(Date.now() / 86_400_000) + 25_569);
    const [titles, first] = (await readFile(await (await saveAs('CSV, as shown')).path(), 'utf8')).split('\r\n');
    expect(titles).toBe('\uFEFFExternal id,Name,E-mail,Time zone,Created');
    expect(first).toBe(`guest-00,"'=Name, 00",,${shown[3]},${new Date().toISOString().slice(0, 10)}`);
  });

  it('has all of it on a phone, without scrolling sideways', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await signIn(page, service, operator, '/accounts');
    await page.getByRole('button', { name: 'Download' }).waitFor();
    await page.getByLabel('Search', { exact: true }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });
});
