import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { ok } from '../../support/administration.ts';
import { sharedService, type TestService } from '../../support/service.ts';
import { type CoffeeShop, openCoffeeShop } from './coffee-shop.ts';
import { launchBrowser, newOperator, type Operator, signIn, type TestBrowser, waitForText } from './browser.ts';

/**
 * A service with an operator and a browser for the tests of a file, and a new visitor for each test; call it once, outside of any test. Its
 * results exist while a test runs.
 */
export function operatorsDesk() {
  let service: TestService;
  let browser: TestBrowser;
  let operator: Operator;
  let visitor: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    service = await sharedService();
    [browser, operator] = await Promise.all([launchBrowser(), newOperator(service)]);
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });
  beforeEach(async () => {
    visitor = await browser.visitor();
    page = await visitor.newPage();
  });
  afterEach(() => visitor.close());
  return {
    get service(): TestService {
      return service;
    },
    get operator(): Operator {
      return operator;
    },
    get page(): Page {
      return page;
    },
    // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies as their readers would.
    post: (path: string, body: unknown = {}): Promise<any> => ok(service.rest('POST', path, body)),
    /** Signs the operator in, on a page of the console. */
    open: (path: string) => signIn(page, service, operator, path),
    button: (name: string): Locator => page.getByRole('main').getByRole('button', { name, exact: true }),
    inDialog: (name: string): Locator => page.getByRole('dialog').getByRole('button', { name, exact: true }),
    /** Waits until the page has this text. */
    seesText: (text: string): Promise<void> => waitForText(page, text),
    main: (): Promise<string> => page.getByRole('main').innerText(),
  };
}

/** The same with the coffee shop, in which every page of the console has content. */
export function shopsDesk() {
  const desk = operatorsDesk();
  let shop: CoffeeShop;
  beforeAll(async () => (shop = await openCoffeeShop(desk.service)), 60_000);
  afterAll(() => shop?.receiver.close());
  return Object.defineProperty(desk, 'shop', { get: () => shop }) as typeof desk & { readonly shop: CoffeeShop };
}
