// docs/clients/widgets.md followed: its page and its back end, made from the text alone.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { elements } from './elements.ts';
import { launchBrowser } from '../../console/support/browser.ts';
import { blockOf } from '../../contract/support/page.ts';
import { freePort } from '../../support/free-port.ts';
import { sharedService, type TestService } from '../../support/service.ts';
import { newGuest, newWidgetGame } from './game.ts';
import { allowOrigins } from './shop.ts';

const root = join(import.meta.dirname, '../../..');
const text = await readFile(join(root, 'docs/clients/widgets.md'), 'utf8');

let service: TestService;
let shop: ChildProcess;
let folder: string;
let address: string;
beforeAll(async () => {
  service = await sharedService();
  await newWidgetGame(service);
  await newGuest(service, { externalId: 'ada', visits: 4, points: 120 });
  folder = await mkdtemp(join(tmpdir(), 'laurel-shop-'));
  const port = await freePort();
  address = `http://localhost:${port}`;
  await allowOrigins(service, [address]);
  await writeFile(
    join(folder, 'page.html'),
    blockOf(text, 'html').replaceAll('http://127.0.0.1:8080', service.baseUrl),
  );
  await writeFile(join(folder, 'shop.ts'), blockOf(text, 'ts').replaceAll('3000', String(port)));
  const env = { PATH: process.env['PATH'], LAUREL_URL: service.baseUrl, LAUREL_KEY: service.apiKey };
  shop = spawn(process.execPath, ['shop.ts'], { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] });
  await vi.waitFor(() => fetch(address), { timeout: 20_000 });
});
afterAll(async () => {
  shop.kill();
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

test('the page of twenty lines shows the account, and its origin is all that its client configures', async () => {
  expect(blockOf(text, 'html').trim().split('\n').length).toBeLessThanOrEqual(20);
  const browser = await launchBrowser();
  const page = await (await browser.visitor()).newPage();
  await page.goto(address);
  await page.locator('laurel-points').getByText('120').waitFor();
  await page.locator('laurel-level').getByText('Silver').first().waitFor();
  await page.locator('laurel-badges').getByText('Regular guest').first().waitFor();
  await browser.close();
});

test('the text names every element, every part and every variable of the widgets, and no other', () => {
  const { names, parts, variables } = elements();
  const named = (pattern: RegExp) => new Set([...text.matchAll(pattern)].map(([, name = '']) => name));
  expect([...named(/`<(laurel-[a-z]+)>`/g)].toSorted()).toEqual(names);
  expect([...named(/`(--laurel-[a-z-]+)`/g)].toSorted()).toEqual(variables);
  const ofParts = /^Parts for `::part` are ([^]*?)\n\n/m.exec(text)?.[1] ?? '';
  expect([...new Set([...ofParts.matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => name))].toSorted()).toEqual(parts);
});
