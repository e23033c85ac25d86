import type { Page } from 'playwright-core';
import type { TestBrowser } from '../../console/support/browser.ts';
import type { TestService } from '../../support/service.ts';
import type { Cuttable } from './cuttable.ts';
import { type Shop, startShop } from './shop.ts';

/** The parts that the tests of a file share. */
export type World = { readonly service: TestService; readonly network: Cuttable; readonly browser: TestBrowser };

/** The page that a guest opens. */
export type VisitOptions = {
  readonly accountId: string;
  readonly elements: readonly string[];
  readonly lang?: string;
  /** More settings of `connect`, in JavaScript. */
  readonly settings?: string;
  /** Whether the page connects the widgets; otherwise it does so when `begin()` is called. */
  readonly begins?: boolean;
  readonly permissions?: readonly string[];
  readonly browser?: Parameters<TestBrowser['visitor']>[0];
  /** Whether `page.clock` moves the time of the page. */
  readonly hasClock?: boolean;
};

/** A guest who looks at a page with widgets, in a shop of another origin than the service. */
export type Visit = {
  readonly page: Page;
  readonly shop: Shop;
  /** Uncaught errors of the page. */
  readonly faults: readonly string[];
  /** Messages of the browser's console that are errors. */
  readonly errors: readonly string[];
  /** Waits until a widget shows a text. */
  shows(name: string, text: string | RegExp): Promise<void>;
  /** The line of a widget about the network. */
  status(name: string): Promise<string>;
  end(): Promise<void>;
};

/** Opens the page. The script and all calls come through the network. */
export async function visitShop({ service, network, browser }: World, options: VisitOptions): Promise<Visit> {
  const { accountId, permissions } = options;
  const shop = await startShop(service, { page: pageOf(network.url, options), accountId, permissions });
  // Pages are used again by visitors alike, and a clock cannot be taken out: no other test has this language.
  const visitor = await browser.visitor(options.hasClock === true ? { locale: 'en-IE' } : options.browser);
  const page = await visitor.newPage();
  const faults: string[] = [];
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  if (options.hasClock === true) await page.clock.install();
  await page.goto(shop.url);
  return {
    page,
    shop,
    faults,
    errors,
    shows: (name, text) => page.locator(name).getByText(text).first().waitFor(),
    status: async (name) => (await page.locator(name).locator('[part=status]').textContent()) ?? '',
    async end() {
      await visitor.close();
      await shop.close();
    },
  };
}

function pageOf(url: string, { elements, lang = 'en', settings = '', begins = true }: VisitOptions): string {
  const connect = `Laurel.connect({ token, ${settings} })`;
  return `<!doctype html>
  <html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Shop</title>
  <link rel="icon" href="data:,">
  <script src="${url}/widgets.js" defer></script>
  <style>:root { color-scheme: light dark } body { margin: 12px; font-family: sans-serif } main { display: grid; gap: 12px;
    grid-template-columns: minmax(0, 40rem) }</style></head>
  <body><main><h1>Shop</h1><h2>Yours</h2>${elements.map((name) => `<${name}></${name}>`).join('')}</main>
  <script type="module">
    const token = () => fetch('/laurel-token', { method: 'POST' }).then((answer) => answer.json());
    ${begins ? connect : `globalThis.begin = () => ${connect}`};
  </script></body></html>`;
}
