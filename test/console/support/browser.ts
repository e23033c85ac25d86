import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import type { TestService } from '../../support/service.ts';
import { unpackedBrowser } from './unpacked-browser.ts';

/** A person who may sign in to the console of a test's service. */
export type Operator = { readonly email: string; readonly password: string };

/** Files that the browser keeps outside its profile: its cache of fonts. */
const HOME = fileURLToPath(new URL('../../../node_modules/.cache/laurel-chromium/home', import.meta.url));

type VisitorOptions = NonNullable<Parameters<Browser['newContext']>[0]>;

/** The browser, as one test file uses it. */
export type TestBrowser = {
  /**
   * A new visitor: no cookie, no storage. English, in UTC, without animations. After its end, the next visitor with the same options gets
   * its page.
   */
  visitor(options?: VisitorOptions): Promise<BrowserContext>;
  /** Closes every visitor. */
  close(): Promise<void>;
};

/** Milliseconds; far above the time of a page, so that a busy machine fails no test. */
const TIMEOUT_MS = 15_000;

/** The browser of this worker. Its files run one after the other; a start and a first page cost three seconds of processor time. */
let ofThisWorker: Promise<Browser> | undefined;

/** Closed visitors, by their options. */
const idle = new Map<string, Reusable[]>();

/** A visitor without a user at present. */
type Reusable = { take(): BrowserContext };

/** The worker's Chromium: the one at CHROMIUM_PATH, else npm's. Its visitors end with the file. */
export async function launchBrowser(): Promise<TestBrowser> {
  const browser = await (ofThisWorker ??= launch());
  const visitors = new Set<BrowserContext>();
  return {
    async visitor(options = {}) {
      const all = { locale: 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce' as const, ...options };
      const visitor = (idle.get(JSON.stringify(all))?.pop() ?? (await reusable(browser, all))).take();
      visitors.add(visitor);
      return visitor;
    },
    async close() {
      await Promise.all([...visitors].map((visitor) => visitor.close()));
    },
  };
}

async function launch(): Promise<Browser> {
  await mkdir(HOME, { recursive: true });
  return chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? (await unpackedBrowser()),
    // The tests may run as root in a container, where Chromium's sandbox does not work.
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--force-color-profile=srgb'],
    env: { ...process.env, HOME },
  });
}

/** A visitor whose page has already compiled the console: a third of the processor time of a new one. */
async function reusable(browser: Browser, options: VisitorOptions): Promise<Reusable> {
  const kind = JSON.stringify(options);
  const context = await browser.newContext(options);
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  const openPage = context.newPage.bind(context);
  const end = context.close.bind(context);
  let isIdle = true;
  let isFresh = true;
  let isSpent = false;
  // Scripts that run at the beginning of every page cannot be removed.
  for (const each of [page, context] as { addInitScript(...script: unknown[]): Promise<unknown> }[]) {
    const addInitScript = each.addInitScript.bind(each);
    each.addInitScript = (...script) => {
      isSpent = true;
      return addInitScript(...script);
    };
  }
  context.newPage = async () => {
    const isFirst = isFresh;
    isFresh = false;
    return isFirst ? page : openPage();
  };
  context.close = async () => {
    if (isIdle) return;
    isIdle = true;
    if (isSpent || !(await forgetAll(context, page, options))) return end();
    idle.set(kind, [...(idle.get(kind) ?? []), self]);
  };
  const self: Reusable = {
    take() {
      isIdle = false;
      isFresh = true;
      return context;
    },
  };
  return self;
}

/** The page events that tests listen to. */
const LISTENED = ['console', 'dialog', 'download', 'pageerror', 'request', 'requestfailed', 'response'];

/**
 * Resets a visitor's page for the next visitor. It stays at the address of the service, because elsewhere it would get another process,
 * which compiles the console again.
 * @returns false if the reset is impossible: unsaved work blocks it, or the service or the page is closed
 */
async function forgetAll(context: BrowserContext, page: Page, options: VisitorOptions): Promise<boolean> {
  try {
    await Promise.all(context.pages().map(async (each) => each === page || each.close()));
    for (const event of LISTENED) page.removeAllListeners(event);
    await Promise.all([
      page.unrouteAll({ behavior: 'ignoreErrors' }),
      context.unrouteAll({ behavior: 'ignoreErrors' }),
    ]);
    await page.evaluate('localStorage.clear(), sessionStorage.clear()');
    await Promise.all([context.clearCookies(), context.clearPermissions()]);
    await page.goto(new URL('/healthz', page.url()).href);
    await page.setViewportSize(options.viewport ?? { width: 1280, height: 720 });
    await page.emulateMedia({ media: null, colorScheme: null, reducedMotion: options.reducedMotion ?? null });
    // A page in the background writes no more.
    await Promise.all([context.clearCookies(), page.evaluate('localStorage.clear(), sessionStorage.clear()')]);
    return true;
  } catch {
    return false;
  }
}

/** A console user with a replaced password, created by an administrator and that user. */
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

/** Gives a visitor the cookies of a session, as the form does, without a page. */
export async function beginSession(
  page: Page,
  { baseUrl }: Pick<TestService, 'baseUrl'>,
  { email, password }: Operator,
): Promise<void> {
  const answer = await page.request.post(`${baseUrl}/admin/session/sign-in`, { data: { email, password } });
  if (!answer.ok()) throw new Error(`The operator was not signed in: ${await answer.text()}`);
}

/** Signs in and waits for the navigation: by the form if it is on the screen; else without it, and opens `path`. */
export async function signIn(
  page: Page,
  service: Pick<TestService, 'baseUrl'>,
  operator: Operator,
  path = '/',
): Promise<void> {
  if (page.url().includes('/sign-in')) {
    await page.getByLabel('E-mail').fill(operator.email);
    await page.getByLabel('Password', { exact: true }).fill(operator.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  } else {
    await beginSession(page, service, operator);
    await page.goto(`${service.baseUrl}/console${path}`);
  }
  await page.getByRole('button', { name: 'Your account' }).waitFor();
}

/** Waits until the page, or this part of it, has a text. */
export function waitForText(within: Page | Locator, text: string | RegExp): Promise<void> {
  return within.getByText(text).first().waitFor();
}
