import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Pixels: a laptop and a phone. */
export const LAPTOP = { width: 1280, height: 860 };
export const PHONE = { width: 390, height: 844 };
/** Pixels: the smallest phone in use. */
export const SMALL_PHONE = { width: 360, height: 740 };

/** The rules of axe that depend on the colour scheme. */
export const COLOURS = { runOnly: ['color-contrast'] };

/** The browser's score of layout shifts during the load of a page above which people are disturbed. */
export const SHIFT_AT_MOST = 0.1;

type Violation = {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[];
};

/** Serious and critical faults, with their place. `where` names the form of the page in the answer; `within` is a selector. */
export async function violations(page: Page, where: string, rules: object = {}, within?: string): Promise<string[]> {
  // The debugger's protocol runs it, because the page's own policy allows no script except its files.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe);
  const options = JSON.stringify({ resultTypes: ['violations'], ...rules });
  const context = within === undefined ? 'document' : JSON.stringify({ include: within });
  const found = await page.evaluate<readonly Violation[]>(
    `axe.run(${context}, ${options}).then(({ violations }) => violations)`,
  );
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${where}: ${id} ${target.join(' ')} ${failureSummary}`),
    );
}

/** The page is complete: its heading is visible, and no part is loading or grey. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  const unrest = page.locator('[aria-busy=true], .mantine-Skeleton-root, .mantine-Loader-root');
  await unrest.first().waitFor({ state: 'detached' });
  await page.evaluate('document.fonts.ready.then(() => undefined)');
}

/** Milliseconds until the next page has replaced a page. */
const LEFT_WITHIN = 4_000;

/** Goes to another page by its links, without another load of the console, unless both pages have the same route. */
export async function follow(page: Page, address: string): Promise<void> {
  const quoted = JSON.stringify(address);
  await page.evaluate(`{
    document.querySelector('main h1')?.setAttribute('data-left', '');
    history.pushState({}, '', ${quoted});
    dispatchEvent(new PopStateEvent('popstate', { state: {} }));
  }`);
  const another = page.locator('main h1:not([data-left])').first();
  await another.waitFor({ timeout: LEFT_WITHIN }).catch(() => page.goto(address));
}

/** The page follows the system's scheme a moment later, and transitions of colours two frames later. */
export async function inScheme(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme });
  await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor();
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}

/**
 * The layout shifts since the page was requested, as a fault above the limit.
 * @param since a time of the page's `performance.now()`; 0 for its load
 */
export async function jumps(page: Page, where: string, since = 0): Promise<string[]> {
  const shift = await page.evaluate<number>(`new Promise((tell) => {
    const observer = new PerformanceObserver((list) => {
      observer.disconnect();
      const own = list.getEntries().filter(({ startTime, hadRecentInput }) => startTime >= ${since} && !hadRecentInput);
      tell(own.reduce((sum, { value }) => sum + value, 0));
    });
    observer.observe({ type: 'layout-shift', buffered: true });
    // The observer is never called without an entry.
    requestAnimationFrame(() => requestAnimationFrame(() => tell(0)));
  })`);
  return shift > SHIFT_AT_MOST ? [`${where}: the page jumped by ${shift} while it loaded`] : [];
}

/** Elements wider than the screen, elements beyond its right edge that cannot be scrolled to, and texts that overflow their box. */
export async function overflows(page: Page, where: string): Promise<string[]> {
  const width = page.viewportSize()?.width ?? 0;
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
  const faults = wide > width ? [`${where}: the page is ${wide} pixels wide`] : [];
  const found = [await page.evaluate<string[]>(beyondTheEdge), await page.evaluate<string[]>(textOutside)].flat();
  return [...faults, ...found.map((text) => `${where}: ${text}`)];
}

/**
 * Controls beyond the right edge of the screen, or of a box that clips them: a fixed bar, for example, does not widen the page. Boxes that
 * scroll are left out, and so are texts that end in dots and texts for screen readers, which are clipped on purpose.
 */
const beyondTheEdge = `(() => {
  const found = [];
  for (const element of document.querySelectorAll('a, button, input, select, textarea, [role=tab], [role=menuitem]')) {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const { right, left, width } = element.getBoundingClientRect();
    if (width < 2) continue;
    let edge = innerWidth;
    for (let at = element; at !== document.body && at !== null; at = at.parentElement) {
      const { overflowX, textOverflow, position, webkitLineClamp, clipPath } = getComputedStyle(at);
      const isMeant = textOverflow === 'ellipsis' || webkitLineClamp !== 'none' || clipPath !== 'none';
      if (isMeant || overflowX === 'auto' || overflowX === 'scroll') {
        edge = Infinity;
        break;
      }
      if (at !== element && overflowX !== 'visible') edge = Math.min(edge, at.getBoundingClientRect().right);
      if (position === 'fixed') break;
    }
    // An element that is completely to the left is a folded navigation.
    if (right > edge + 1 && left >= 0) {
      const name = element.getAttribute('aria-label') ?? element.textContent;
      found.push(element.tagName + ' stands ' + Math.round(right - edge) + ' pixels beyond the edge: ' + name.slice(0, 40));
    }
  }
  return [...new Set(found)].slice(0, 6);
})()`;

/** Texts that overflow their cell, card, button or badge, unless it scrolls or clips them. */
const textOutside = `(() => {
  const boxes = 'td, th, dd, dt, button, a, [role=tab], [role=menuitem], [role=dialog], .mantine-Card-root, .mantine-Badge-root, .mantine-Alert-root';
  const found = [];
  const within = [...document.querySelectorAll('[role=dialog]')].at(-1) ?? document.querySelector('main') ?? document.body;
  const walker = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.data.trim() === '') continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    let at = node.parentElement;
    const style = getComputedStyle(at);
    if (style.visibility === 'hidden' || style.clipPath !== 'none' || style.position === 'absolute') continue;
    const right = Math.max(...[...range.getClientRects()].map((rect) => rect.right));
    while (at !== null && at !== document.body) {
      if (getComputedStyle(at).overflowX !== 'visible') break;
      if (at.matches(boxes)) {
        const over = right - at.getBoundingClientRect().right;
        if (over > 1) found.push(at.tagName + ' is left by ' + Math.round(over) + ' pixels: ' + node.data.slice(0, 40));
        break;
      }
      at = at.parentElement;
    }
  }
  return [...new Set(found)].slice(0, 6);
})()`;

/** Filled buttons that are not the last of their row: on pages and in dialogs, the eye expects the next step at the end. */
export async function disorder(page: Page, where: string): Promise<string[]> {
  const names = await page.evaluate<
    string[]
  >(`[...document.querySelectorAll('.mantine-Button-root[data-variant=filled]')]
    .filter((button) => {
      let next = button.nextElementSibling;
      while (next !== null && !next.matches('.mantine-Button-root')) next = next.nextElementSibling;
      return next !== null;
    })
    .map((button) => button.innerText)`);
  return names.map((name) => `${where}: the button ${name} stands before another one of its row`);
}

/** A screenshot for people, if the variable LAUREL_SCREENSHOTS names a folder for them. */
export async function photograph(page: Page, what: string, form: string): Promise<void> {
  const directory = process.env['LAUREL_SCREENSHOTS'];
  if (!directory) return;
  mkdirSync(directory, { recursive: true });
  const name = what.replaceAll(/\W+/g, '-').replace(/^-/, '') || 'overview';
  await page.screenshot({ path: join(directory, `${name}.${form}.png`), fullPage: true });
}
