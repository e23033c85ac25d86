import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** The maximum clicks of a ticket, from the overview or Ctrl-K to its solution. */
const CLICKS_MAX = 5;

/** A user of the console whose clicks are counted. */
export type Clicks = {
  /** One click. Fails the test above the maximum. */
  click(target: Locator): Promise<void>;
  /** Opens Ctrl-K, types, and chooses the entry with that name: one click. */
  find(typed: string, name: string | RegExp): Promise<void>;
  /** Chooses an entry of a field by typing a part of it: one click. */
  choose(field: Locator, name: string): Promise<void>;
};

/** Counts clicks and other choices; typing is not counted. */
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
