import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { TestService } from '../../support/service.ts';
import { unpackedBrowser } from './unpacked-browser.ts';

/** A person who may sign in to the console of a test's service. */
export type Operator = { readonly email: string; readonly password: string };

/** A browser of one test file. */
export type TestBrowser = {
  /** A fresh visitor: no cookie, no storage. English, in UTC. */
  visitor(options?: Parameters<Browser['newContext']>[0]): Promise<BrowserContext>;
  close(): Promise<void>;
};

/** Milliseconds; far above what a page takes, so that a busy machine fails no test. */
const PATIENCE = 15_000;

/** A real Chromium: the one at CHROMIUM_PATH, else the one that npm brought. */
export async function launchBrowser(): Promise<TestBrowser> {
  const home = await mkdtemp(join(tmpdir(), 'laurel-chromium-'));
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? (await unpackedBrowser()),
    // The tests may run as root in a container, where Chromium's sandbox cannot.
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--force-color-profile=srgb'],
    env: { ...process.env, HOME: home },
  });
  return {
    async visitor(options) {
      const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', ...options });
      context.setDefaultTimeout(PATIENCE);
      return context;
    },
    async close() {
      await browser.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** A console user with a password of its own, made as an administrator and that user would. */
export async function newOperator(
  service: TestService,
  role: 'VIEWER' | 'SUPPORT' | 'MARKETER' | 'CLIENT_ADMIN' | 'SERVICE_ADMIN' = 'CLIENT_ADMIN',
): Promise<Operator> {
  const email = `olivia-${crypto.randomUUID().slice(0, 8)}@example.com`;
  const made = await service.rest(
    'POST',
    '/admin/users',
    { email, name: 'Olivia Operator', role },
    service.serviceToken,
  );
  if (made.status !== 201) throw new Error(`The console user was not created: ${JSON.stringify(made.body)}`);
  const begun = await service.rest('POST', '/admin/session/sign-in', { email, password: made.body.password }, '');
  const password = 'correct horse battery staple';
  const changes = { currentPassword: made.body.password, newPassword: password };
  const changed = await service.rest('POST', '/admin/session/change-password', changes, begun.body.accessToken);
  if (changed.status !== 200) throw new Error(`The password was not changed: ${JSON.stringify(changed.body)}`);
  return { email, password };
}

/** Signs in by the page's own form, which must be on the screen or is opened at `path`, and waits for the navigation. */
export async function signIn(
  page: Page,
  service: Pick<TestService, 'baseUrl'>,
  operator: Operator,
  path = '/',
): Promise<void> {
  if (!page.url().includes('/sign-in')) await page.goto(`${service.baseUrl}/console${path}`);
  await page.getByLabel('E-mail').fill(operator.email);
  await page.getByLabel('Password', { exact: true }).fill(operator.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Your account' }).waitFor();
}
