import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { ok } from '../../support/administration.ts';
import { startService, type TestService, type TestServiceOptions } from '../../support/service.ts';
import { launchBrowser, newOperator, type Operator, signIn, type TestBrowser, waitForText } from './browser.ts';
import { type Clicks, countedClicks } from './clicks.ts';

type Role = Exclude<Parameters<typeof newOperator>[1], undefined>;

/**
 * A service with a world, and people of several roles who solve tickets there; call it once, outside of any test.
 * @param prepare creates the world, before the first sign-in
 * @param options the options of the service
 */
export function helpDesk<World>(prepare: (service: TestService) => Promise<World>, options: TestServiceOptions = {}) {
  let service: TestService;
  let browser: TestBrowser;
  let world: World;
  let visitor: BrowserContext | undefined;
  let page: Page;
  const operators = new Map<Role, Operator>();
  beforeAll(async () => {
    service = await startService(options);
    [browser, world] = await Promise.all([launchBrowser(), prepare(service)]);
  }, 120_000);
  afterEach(async () => {
    await visitor?.close();
    visitor = undefined;
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });
  const call = (method: string) => (path: string, body?: unknown) => ok(service.rest(method, path, body));
  return {
    get service(): TestService {
      return service;
    },
    get world(): World {
      return world;
    },
    get page(): Page {
      return page;
    },
    post: (path: string, body: unknown = {}) => call('POST')(path, body),
    get: (path: string) => call('GET')(path),
    /** Begins a ticket: a user with that role is on the overview. */
    async ticket(role: Role): Promise<Clicks> {
      const operator = operators.get(role) ?? (await newOperator(service, role));
      operators.set(role, operator);
      visitor = await browser.visitor();
      page = await visitor.newPage();
      await signIn(page, service, operator);
      return countedClicks(page);
    },
    /** Waits until the page has this text. */
    seesText: (text: string | RegExp): Promise<void> => waitForText(page.getByRole('main'), text),
    button: (name: string | RegExp): Locator => page.getByRole('main').getByRole('button', { name, exact: true }),
    item: (name: string): Locator => page.getByRole('menuitem', { name, exact: true }),
    dialog: (): Locator => page.getByRole('dialog'),
    inDialog: (name: string): Locator => page.getByRole('dialog').getByRole('button', { name, exact: true }),
    /** Types into a field of the dialog. */
    type: (label: string, text: string): Promise<void> => page.getByRole('dialog').getByLabel(label).fill(text),
  };
}
