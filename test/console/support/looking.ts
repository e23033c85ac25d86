import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Pixels: a laptop and a phone. */
export const LAPTOP = { width: 1280, height: 860 };
export const PHONE = { width: 390, height: 844 };
/** Pixels: the smallest phone that people still have. */
export const SMALL_PHONE = { width: 360, height: 740 };

/** What of axe can find in the dark what it did not find in the light. */
export const COLOURS = { runOnly: ['color-contrast'] };

/** The browser's score of what moves by itself while a page loads, from which on people are disturbed. */
export const SHIFT_AT_MOST = 0.1;

type Violation = {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[];
};

/**
 * What hinders people seriously or wholly, with where it stands. `where` names the form of the page in the answer; `within` is a
 * selector.
 */
export async function violations(page: Page, where: string, rules: object = {}, within?: string): Promise<string[]> {
  // Run by the debugger's protocol, because the page's own policy allows no script but its files.
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

/** The page has come to rest: its heading is there, nothing is loading, nothing is grey. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  const unrest = page.locator('[aria-busy=true], .mantine-Skeleton-root, .mantine-Loader-root');
  await unrest.first().waitFor({ state: 'detached' });
  await page.evaluate('document.fonts.ready.then(() => undefined)');
}

/** Milliseconds until a page has made place for the next one. */
const LEFT_WITHIN = 4_000;

/** To another page as its links lead there, without loading the console again, unless it is one more of the same kind. */
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

/** The page follows the system, a moment later; two frames later also what moves from one colour to the other. */
export async function inScheme(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme });
  await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor();
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}

/**
 * What moved on the screen by itself since the page was asked for, as a fault once it disturbs.
 * @param since by the page's `performance.now()`; 0 where it was loaded
 */
export async function jumps(page: Page, where: string, since = 0): Promise<string[]> {
  const shift = await page.evaluate<number>(`new Promise((tell) => {
    const observer = new PerformanceObserver((list) => {
      observer.disconnect();
      const own = list.getEntries().filter(({ startTime, hadRecentInput }) => startTime >= ${since} && !hadRecentInput);
      tell(own.reduce((sum, { value }) => sum + value, 0));
    });
    observer.observe({ type: 'layout-shift', buffered: true });
    // Without any entry the observer is never called.
    requestAnimationFrame(() => requestAnimationFrame(() => tell(0)));
  })`);
  return shift > SHIFT_AT_MOST ? [`${where}: the page jumped by ${shift} while it loaded`] : [];
}

/**
 * What is wider than the screen, what lies beyond its right edge and nobody can scroll to, and texts that leave the box in which
 * they stand.
 */
export async function overflows(page: Page, where: string): Promise<string[]> {
  const width = page.viewportSize()?.width ?? 0;
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
  const faults = wide > width ? [`${where}: the page is ${wide} pixels wide`] : [];
  const found = [await page.evaluate<string[]>(beyondTheEdge), await page.evaluate<string[]>(textOutside)].flat();
  return [...faults, ...found.map((text) => `${where}: ${text}`)];
}

/**
 * What can be pressed and stands beyond the right edge of the screen, or of a box that cuts it off: a fixed bar, for
 * example, makes no page wider. Boxes that scroll let people come to it; a text that ends in dots is meant to, and what only
 * readers aloud have is clipped.
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
    // What is wholly to the left is a folded navigation.
    if (right > edge + 1 && left >= 0) {
      const name = element.getAttribute('aria-label') ?? element.textContent;
      found.push(element.tagName + ' stands ' + Math.round(right - edge) + ' pixels beyond the edge: ' + name.slice(0, 40));
    }
  }
  return [...new Set(found)].slice(0, 6);
})()`;

/** Texts that leave the cell, card, button or badge in which they stand, where nothing scrolls or cuts them off. */
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

/** Filled buttons that are not the last of their row: the eye looks for what goes on at one end, on pages and in dialogs. */
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

/** A picture for people to look at, if the environment's LAUREL_SCREENSHOTS names a directory for them. */
export async function photograph(page: Page, what: string, form: string): Promise<void> {
  const directory = process.env['LAUREL_SCREENSHOTS'];
  if (!directory) return;
  mkdirSync(directory, { recursive: true });
  const name = what.replaceAll(/\W+/g, '-').replace(/^-/, '') || 'overview';
  await page.screenshot({ path: join(directory, `${name}.${form}.png`), fullPage: true });
}
