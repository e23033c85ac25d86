import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** What a ticket may take at most, from the overview or Ctrl-K to its solution. */
const CLICKS_MAX = 5;

/** Somebody at the console whose clicks are counted. */
export type Clicks = {
  /** One click. Fails the test if it is one too many. */
  click(target: Locator): Promise<void>;
  /** Opens Ctrl-K, types, and chooses what is offered under that name: one click. */
  find(typed: string, name: string | RegExp): Promise<void>;
  /** Chooses an entry of a field by typing a part of it: one click. */
  choose(field: Locator, name: string): Promise<void>;
};

/** Counts clicks, and whatever else chooses something; typing is none. */
export function countedClicks(page: Page): Clicks {
  let clicks = 0;
  const click = async (target: Locator) => {
    clicks += 1;
    expect(clicks, 'clicks of the ticket').toBeLessThanOrEqual(CLICKS_MAX);
    await target.click();
  };
  return {
    click,
    async find(typed, name) {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: /by name or id/ }).fill(typed);
      const offered = page
        .getByRole('listbox', { name: 'Find anything' })
        .getByRole('option')
        .filter({ hasText: name });
      await click(offered.first());
      await page.getByRole('listbox', { name: 'Find anything' }).waitFor({ state: 'detached' });
    },
    async choose(field, name) {
      await field.fill(name);
      await click(page.getByRole('option', { name, exact: true }));
    },
  };
}
