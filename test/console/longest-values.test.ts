import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToHours } from '../../src/activity/statistic-hours.queries.ts';
import { sharedService, type TestService } from '../support/service.ts';
import { accountTabs, addresses, withIds } from './support/addresses.ts';
import { launchBrowser, newOperator, signIn, type TestBrowser } from './support/browser.ts';
import { type CoffeeShop, openCoffeeShop } from './support/coffee-shop.ts';
import { follow, LAPTOP, overflows, PHONE, photograph, settled } from './support/looking.ts';

/** The screens that the values must fit. */
const SCREENS = { phone: PHONE, laptop: LAPTOP };

/** The longest text that the API accepts: letters without a place to break, like ids of other systems. */
const LONGEST: Readonly<Record<string, readonly string[]>> = {
  account: ['external_id:255', 'name:255', 'email:254'],
  agreement: ['name:255'],
  audience: ['name:255', 'description:4000'],
  campaign: ['name:255', 'description:4000'],
  chest_definition: ['name:255'],
  client: ['name:255'],
  console_user: ['name:255'],
  credential: ['name:255'],
  event_definition: ['name:255', 'description:4000'],
  mission: ['name:255', 'description:4000'],
  product: ['name:255', 'description:4000'],
  publication: ['name:255'],
  reward: ['name:255'],
  webhook_endpoint: ['name:255'],
};

/** Sums of years; one request may have a billion at most. */
const LARGEST: Readonly<Record<string, string>> = {
  agreement: 'stock = 2000000000',
  assignment: 'progress = 999999999.9999',
  earned_reward: 'amount = 999999999.9999',
  mission: 'target = 1000000000',
  point_balance:
    'available = 123456789012.3456, spent = 98765432109.8765, expired = 9876543.21, lifetime_earned = 223456789012.34',
  point_entry: 'amount = 123456789.9876, balance_after = 123456789012.3456',
  product: 'stock = 2000000000',
  publication: 'points_cost = 999999999.9999, stock = 1999999999',
  reward: 'amount = 999999999.9999',
};

let service: TestService;
let shop: CoffeeShop;
let browser: TestBrowser;
let visitor: BrowserContext;
let page: Page;
beforeAll(async () => {
  service = await sharedService();
  [shop, browser] = await Promise.all([openCoffeeShop(service), launchBrowser()]);
  await stretch();
  visitor = await browser.visitor({ reducedMotion: 'reduce' });
  page = await visitor.newPage();
  await signIn(page, service, await newOperator(service, 'SERVICE_ADMIN'));
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await shop?.receiver.close();
  await service?.close();
});

describe('With the longest values that the API allows', () => {
  it.each([...addresses, ...accountTabs])(
    '%s scrolls sideways on no screen, and no text lies over another',
    async (path) => {
      const faults: string[] = [];
      await page.setViewportSize(PHONE);
      await follow(page, `${service.baseUrl}/console${withIds(path, shop)}`);
      for (const [screen, size] of Object.entries(SCREENS)) {
        await page.setViewportSize(size);
        await settled(page);
        faults.push(...(await overflows(page, screen)));
        await photograph(page, path, `longest-${screen}`);
      }
      expect(faults).toEqual([]);
    },
  );
});

it('A client of the longest name leaves everything of the bar on the screen to those who only read that name', async () => {
  const reader = await browser.visitor({ viewport: PHONE, reducedMotion: 'reduce' });
  const read = await reader.newPage();
  await signIn(read, service, await newOperator(service, 'CLIENT_ADMIN'));
  await settled(read);
  expect(await overflows(read, 'phone')).toEqual([]);
  await reader.close();
});

/** Inserts into the tables, because the API cannot give an earned reward a longer name. */
async function stretch(): Promise<void> {
  await service.db.systemUnitOfWork(async (uow) => {
    for (const [table, columns] of Object.entries(LONGEST))
      for (const column of columns) {
        const [name, length] = column.split(':');
        const host = name === 'email' ? `'@example.com'` : `''`;
        await uow.query(
          `update ${table} set ${name} = rpad(split_part(${name}, '@', 1), ${length}::int - length(${host}), 'abcdefghij') || ${host}
            where ${name} is not null and ${name} <> ''`,
        );
      }
    for (const [table, values] of Object.entries(LARGEST)) await uow.query(`update ${table} set ${values}`);
    const many = { eventsApplied: 1_999_999_999, missionsCompleted: 1_234_907, rewardsDelivered: 1_999_999_999 };
    await addToHours(uow, [{ clientId: service.clientId, hour: new Date(), happened: many }]);
  });
}
