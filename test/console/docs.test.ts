import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestService } from '../support/service.ts';
import { launchBrowser, type TestBrowser } from './support/browser.ts';

const screenshots = fileURLToPath(new URL('../../dist/screenshots', import.meta.url));
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Pixels: the width of a laptop and of a phone. */
const LAPTOP = { width: 1280, height: 860 };
const PHONE = { width: 390, height: 800 };

/** Faults of Scalar 1.72 itself: its copy buttons have no name, and its lists of operations scroll without a focus. */
const SCALARS_OWN = ['button-name', 'label-content-name-mismatch', 'scrollable-region-focusable'];

/** The rules of axe that depend on the colour scheme. */
const COLOURS = { runOnly: ['color-contrast'] };

let service: TestService;
let browser: TestBrowser;
let visitor: BrowserContext;
let page: Page;
/** Events that must not occur on any page: errors, refusals by the policy, requests to another host. */
const faults: string[] = [];
beforeAll(async () => {
  mkdirSync(screenshots, { recursive: true });
  [service, browser] = await Promise.all([startService({ demoKey: () => service.apiKey }), launchBrowser()]);
  visitor = await browser.visitor({ viewport: LAPTOP, reducedMotion: 'reduce' });
  await visitor.grantPermissions(['clipboard-read', 'clipboard-write']);
  page = await visitor.newPage();
  page.on('pageerror', ({ message }) => faults.push(`threw ${message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(service.baseUrl) && !url.startsWith('data:')) faults.push(`asks ${url}`);
  });
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

describe('The reference', () => {
  it('finds an operation, shows its fields and has a call answered by this service, with no other host asked', async () => {
    await service.rest('POST', '/accounts', { externalId: 'ada' });
    await page.goto(`${service.baseUrl}/docs?word=once`);
    await expect.poll(() => page.url()).not.toContain('once');
    await page.getByRole('button', { name: /Open Search/ }).click();
    await page.getByRole('combobox', { name: 'Enter search query' }).fill('points history');
    await page.getByRole('option', { name: /points\/history/ }).click();
    await expect.poll(() => page.url()).toContain('points/history');
    await page.getByText('balanceAfter').first().waitFor();
    await page.getByRole('button', { name: /Test Request.*points\/history/ }).click();
    const client = page.getByRole('dialog', { name: 'API Client' });
    await client.getByRole('region', { name: 'Variables' }).getByRole('combobox', { name: 'Value' }).click();
    // The page shows the description's example.
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('ada');
    const answered = page.waitForResponse((response) => response.url().includes('/points/history'));
    await client.getByRole('button', { name: /^Send get request/ }).click();
    const answer = await answered;
    expect([answer.status(), new URL(answer.url()).pathname]).toEqual([200, '/loyalty/accounts/ada/points/history']);
    expect(answer.request().headers()['authorization']).toBe(`Bearer ${service.apiKey}`);
    await client.getByText('200 OK').first().waitFor();
    expect(faults.splice(0)).toEqual([]);
  });

  it('hinders nobody but where Scalar itself does, in light and dark', async () => {
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.goto(`${service.baseUrl}/docs`);
      await page
        .getByRole('button', { name: /Test Request/ })
        .first()
        .waitFor();
      expect(
        (await violations(scheme === 'dark' ? COLOURS : {})).filter(
          (fault) => !SCALARS_OWN.some((own) => fault.startsWith(own)),
        ),
      ).toEqual([]);
      await page.screenshot({ path: `${screenshots}/docs.${scheme}.png` });
    }
    await page.emulateMedia({ colorScheme: 'light' });
    expect(faults.splice(0)).toEqual([]);
  });
});

describe('The guide', () => {
  it('can be read by everybody, in light and dark and on a phone', async () => {
    for (const path of ['', '/integrators', '/calendar', '/four-ways']) {
      for (const scheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.setViewportSize(LAPTOP);
        await page.goto(`${service.baseUrl}/docs/guide${path}`);
        expect([path, scheme, ...(await violations(scheme === 'dark' ? COLOURS : {}))]).toEqual([path, scheme]);
        await page.screenshot({ path: `${screenshots}/guide${path.replace('/', '-')}.${scheme}.png` });
      }
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize(PHONE);
      expect([path, 'phone', ...(await violations())]).toEqual([path, 'phone']);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(PHONE.width);
      await page.screenshot({ path: `${screenshots}/guide${path.replace('/', '-')}.phone.png` });
    }
    await page.setViewportSize(LAPTOP);
    expect(faults.splice(0)).toEqual([]);
  });

  it('is searched and read by keyboard alone', async () => {
    await page.goto(`${service.baseUrl}/docs/guide`);
    await page.keyboard.press('/');
    await page.keyboard.type('time zone');
    await page.locator('#found a').first().waitFor();
    await page.keyboard.press('ArrowDown');
    const first = page.locator('#found a').first();
    const address = await first.getAttribute('href');
    expect(await first.evaluate((link) => link.matches(':focus'))).toBe(true);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname + url.hash === address);
    const heading = page.locator(`[id="${new URL(page.url()).hash.slice(1)}"]`);
    expect(await heading.evaluate((element) => element.getBoundingClientRect().top)).toBeGreaterThan(56);
    expect(faults.splice(0)).toEqual([]);
  });

  it('copies code as it stands, and remembers who reads in the dark', async () => {
    await page.goto(`${service.baseUrl}/docs/guide/integrators`);
    const block = page.locator('.code').first();
    await block.getByRole('button', { name: 'Copy' }).click();
    await block.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await block.locator('code').textContent());
    await page.getByRole('button', { name: 'Light or dark' }).click();
    await page.goto(`${service.baseUrl}/docs/guide/calendar`);
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
    await page.getByRole('button', { name: 'Light or dark' }).click();
    expect(faults.splice(0)).toEqual([]);
  });

  it('shows one language of a call, chosen by mouse or keyboard, in all blocks and on the next visit', async () => {
    const shown = () =>
      page
        .locator('.tabs .code:visible .language')
        .evaluateAll((labels) => labels.map(({ textContent }) => textContent));
    await page.goto(`${service.baseUrl}/docs/guide/four-ways`);
    expect(new Set(await shown())).toEqual(new Set(['Shell']));
    await page.locator('.tabs').nth(2).getByText('Python', { exact: true }).first().click();
    expect(new Set(await shown())).toEqual(new Set(['Python']));
    await page.keyboard.press('ArrowLeft');
    expect(new Set(await shown())).toEqual(new Set(['TypeScript']));
    await page.reload();
    expect(new Set(await shown())).toEqual(new Set(['TypeScript']));
    expect((await shown()).length).toBeGreaterThan(5);
    expect(faults.splice(0)).toEqual([]);
  });

  it('has its pages in a menu on a phone', async () => {
    await page.setViewportSize(PHONE);
    await page.goto(`${service.baseUrl}/docs/guide`);
    const pages = page.getByRole('navigation', { name: 'Pages' });
    expect(await pages.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Pages' }).click();
    await pages.getByRole('link', { name: 'Every call, as curl' }).click();
    await page.getByRole('heading', { level: 1, name: /Laurel for integrators/ }).waitFor();
    await page.setViewportSize(LAPTOP);
    expect(faults.splice(0)).toEqual([]);
  });
});

describe('The page of widgets', () => {
  /** Its example has no stream. */
  const othersThan404 = (fault: string) => !/status of 404/.test(fault);

  it('shows the account of an example with the choices of a visitor, and the text to copy', async () => {
    await page.goto(`${service.baseUrl}/docs/widgets`);
    for (const [name, text] of Object.entries(EXAMPLE)) await page.locator(name).getByText(text).first().waitFor();
    const calendar = page.locator('laurel-streak [part=calendar]');
    expect(await calendar.locator('li[data-state=freeze]').count()).toBe(1);
    expect(await calendar.locator('li[data-state=vacation]').count()).toBe(2);
    await page.getByLabel('Language').selectOption('ar');
    await page.getByRole('combobox', { name: 'Widget' }).selectOption('laurel-points');
    await page.getByLabel('Scheme').selectOption('dark');
    await page.locator('laurel-points').getByText('النقاط').waitFor();
    expect(await page.locator('laurel-badges').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Copy' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      `<script src="${service.baseUrl}/widgets.js" defer></script>\n<laurel-points lang="ar" scheme="dark"></laurel-points>`,
    );
    expect(faults.splice(0).filter(othersThan404)).toEqual([]);
  });

  it('shows the account of a token', async () => {
    const { body: account } = await service.rest('POST', '/accounts', {});
    const wanted = { accountId: account.id, permissions: ['READ'] };
    const { body: issued } = await service.rest('POST', '/v1/account-tokens', wanted);
    await page.goto(`${service.baseUrl}/docs/widgets`);
    await page.getByLabel('Account token').fill(issued.token);
    await page.getByRole('button', { name: 'Show the account' }).click();
    await page.locator('laurel-missions').getByText('There is nothing to do now').waitFor();
    faults.splice(0);
  });

  it('can be read by everybody, in light and dark and on a phone', async () => {
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.goto(`${service.baseUrl}/docs/widgets`);
      if (scheme === 'dark') await page.getByLabel('Scheme').selectOption('dark');
      await page.locator('laurel-chests').getByText('Golden chest').waitFor();
      expect([scheme, ...(await violations(scheme === 'dark' ? COLOURS : {}))]).toEqual([scheme]);
      await page.screenshot({ path: `${screenshots}/widgets.${scheme}.png`, fullPage: true });
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(PHONE);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(PHONE.width);
    await page.screenshot({ path: `${screenshots}/widgets.phone.png`, fullPage: true });
    await page.setViewportSize(LAPTOP);
    expect(faults.splice(0).filter(othersThan404)).toEqual([]);
  });
});

/** A text of each widget. */
const EXAMPLE = {
  'laurel-points': '1,240',
  'laurel-level': 'Silver',
  'laurel-badges': 'First order',
  'laurel-missions': 'Five visits',
  'laurel-streak': '12',
  'laurel-leaderboard': 'Xiomara',
  'laurel-chests': 'Golden chest',
};

/** Serious and critical faults, with their place. */
async function violations(rules: object = {}): Promise<string[]> {
  // The debugger's protocol runs it, because the page's own policy allows no script except its files.
  await page.evaluate(axe);
  const found = await page.evaluate<readonly Violation[]>(
    `axe.run(${JSON.stringify({ resultTypes: ['violations'], ...rules })}).then(({ violations }) => violations)`,
  );
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')} ${failureSummary}`),
    );
}

type Violation = {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[];
};
