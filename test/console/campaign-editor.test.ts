import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ok } from '../support/administration.ts';
import { sharedService, type TestService } from '../support/service.ts';
import { launchBrowser, newOperator, type Operator, signIn, type TestBrowser } from './support/browser.ts';
import { type CoffeeShop, openCoffeeShop } from './support/coffee-shop.ts';

let service: TestService;
let browser: TestBrowser;
let operator: Operator;
let shop: CoffeeShop;
beforeAll(async () => {
  service = await sharedService();
  [browser, operator, shop] = await Promise.all([launchBrowser(), newOperator(service), openCoffeeShop(service)]);
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await shop?.receiver.close();
  await service?.close();
});

let visitor: BrowserContext;
let page: Page;
beforeEach(async () => {
  visitor = await browser.visitor();
  page = await visitor.newPage();
});
afterEach(() => visitor.close());

const name = () => page.getByRole('textbox', { name: 'Name', exact: true });
const bar = () => page.getByRole('group', { name: 'Save, and what is missing' });
const mission = (number: number) => page.getByRole('group', { name: `Mission ${number}`, exact: true });
const part = (title: string | RegExp, within: Locator | Page = page) => within.getByRole('button', { name: title });
const focusedPath = () => page.evaluate<string | null>(`document.activeElement?.getAttribute('data-path')`);

/** Picks an option of a select by its label, as a person does. */
async function choose(label: string, option: string, within: Locator | Page = page): Promise<void> {
  await within.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option }).first().click();
  await page.keyboard.press('Escape');
}

/** The stored campaigns with this name. */
async function stored(called: string) {
  const { rows } = await ok(service.rest('GET', '/admin/campaigns/paginated?page=1&limit=100'));
  return rows.filter((campaign: { name: string }) => campaign.name === called);
}

describe('The campaign editor', { timeout: 60_000 }, () => {
  it('folds a part to one line and keeps what was entered; a fault in it unfolds it and gets the focus', async () => {
    await signIn(page, service, operator, '/campaigns/new');
    await name().fill('Spring');
    await mission(1).getByLabel('Name in the feed').fill('Buy twice');
    await part('The campaign').click();
    expect(await name().isVisible()).toBe(false);
    await page.getByText('Spring · no audience yet').waitFor();
    await part(/Buy twice/, mission(1)).click();
    await page.getByText('Not finished: it needs an event and a target.').waitFor();
    await page.getByRole('button', { name: 'Create draft' }).click();
    await name().waitFor();
    expect(await name().inputValue()).toBe('Spring');
    await mission(1).getByLabel('Target').waitFor();
    expect(await focusedPath()).toBe('audienceIds');
  });

  it('says in a bar that stays what is missing, and each leads to its field, also to one that is folded', async () => {
    await signIn(page, service, operator, '/campaigns/new');
    await name().fill('Spring');
    await mission(1).getByLabel('Name in the feed').fill('Buy twice');
    await choose('Completion rewards', '50 points');
    await choose('Event', 'VISIT', mission(1));
    await bar().getByText('2 things are missing or do not fit:').waitFor();
    await bar().getByRole('button', { name: 'an audience' }).waitFor();
    await part(/Buy twice/, mission(1)).click();
    await page.evaluate('scrollTo(0, 0)');
    expect(await bar().isVisible()).toBe(true);
    const box = await bar().boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0);
    await bar().getByRole('button', { name: 'a target for “Buy twice”' }).click();
    expect(await focusedPath()).toBe('missions.0.target');
    await page.keyboard.type('2');
    await bar().getByText('1 thing is missing').waitFor();
    await choose('Audiences', 'Every guest');
    await bar().getByText('Nothing is missing.').waitFor();
  });

  it('makes an audience, a reward and an event definition on the spot, and loses nothing that was typed', async () => {
    await signIn(page, service, operator, '/campaigns/new');
    await name().fill('On the spot');
    await page.getByRole('combobox', { name: 'Audiences' }).fill('Night owls');
    await page.getByRole('option', { name: 'Create “Night owls”…' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Night owls');
    await dialog.getByRole('button', { name: 'Create audience' }).click();
    await dialog.waitFor({ state: 'hidden' });

    await page.getByRole('combobox', { name: 'Completion rewards' }).fill('Seventy points');
    await page.getByRole('option', { name: 'Create “Seventy points”…' }).click();
    await dialog.getByRole('textbox', { name: 'Points', exact: true }).fill('70');
    await dialog.getByRole('button', { name: 'Create reward' }).click();
    await dialog.waitFor({ state: 'hidden' });

    await mission(1).getByRole('combobox', { name: 'Event' }).fill('NIGHT_VISIT');
    await page.getByRole('option', { name: 'Create “NIGHT_VISIT”…' }).click();
    await dialog.getByRole('button', { name: 'Create event definition' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await name().inputValue()).toBe('On the spot');
    await mission(1).getByLabel('Name in the feed').fill('Come at night');
    await mission(1).getByLabel('Target').fill('1');
    await page.getByRole('button', { name: 'Create draft' }).click();
    await page.getByRole('heading', { name: 'On the spot' }).waitFor();
    await page.getByText('NIGHT_VISIT events add up to 1.').waitFor();
    await page.getByRole('link', { name: 'Night owls' }).waitFor();
    await page.getByText('Seventy points').first().waitFor();
  });

  it('lets missions wait for each other before anything is saved, and forgets one that is removed', async () => {
    await signIn(page, service, operator, '/campaigns/new');
    await name().fill('In order');
    await choose('Audiences', 'Every guest');
    await choose('Completion rewards', '50 points');
    for (const number of [1, 2, 3]) {
      if (number > 1) {
        await page.getByRole('button', { name: 'Add mission' }).click();
        await page.getByRole('menuitem', { name: /^Mission/ }).click();
      }
      await mission(number).getByLabel('Name in the feed').fill(`Step ${number}`);
      await choose('Event', 'VISIT', mission(number));
      await mission(number).getByLabel('Target').fill('1');
    }
    await part('Conditions: none', mission(2)).click();
    for (const before of ['Step 1', 'Step 3']) {
      // The chosen value covers the field, but the keyboard opens it.
      await mission(2).getByRole('combobox', { name: 'Missions to complete before' }).focus();
      await page.keyboard.press('ArrowDown');
      await page.getByRole('option', { name: before }).click();
      await page.keyboard.press('Escape');
    }
    await page.getByRole('button', { name: 'Remove mission 3' }).click();
    await page.getByRole('button', { name: 'Create draft' }).click();
    await page.getByRole('heading', { name: 'In order' }).waitFor();
    const [{ missions }] = await stored('In order');
    expect(missions[1].conditions.prerequisiteMissionIds).toEqual([missions[0].id]);
  });

  it('holds what accounts could earn against the stock, before anything is saved', async () => {
    const mug = await ok(service.rest('POST', '/admin/products', { name: 'Mug', stockMode: 'COUNTED', stock: 4 }));
    const reward = { name: 'A mug', type: 'PRODUCTS', amount: 1, productId: mug.id };
    await ok(service.rest('POST', '/admin/rewards', reward));
    await signIn(page, service, operator, '/campaigns/new');
    await choose('Audiences', 'Every guest');
    await choose('Completion rewards', 'A mug');
    await page.getByText('6 accounts are in its audiences now.').waitFor();
    await page.getByText('Accounts could earn up to 6, you have 4 free units.').waitFor();
  });

  it('shows what another tab has saved beside what is entered, at the button, and takes the focus there', async () => {
    const [first] = await stored('First coffee');
    const draft = {
      name: 'Two tabs',
      audienceIds: first.audienceIds,
      rewardIds: first.rewardIds,
      missions: Array.from({ length: 8 }, (_, index) => ({
        type: 'MISSION',
        name: `Visit ${index}`,
        programmaticCode: 'VISIT',
        target: 1,
      })),
    };
    const campaign = await ok(service.rest('POST', '/admin/campaigns', draft));
    await signIn(page, service, operator, `/campaigns/${campaign.id}/edit`);
    await name().fill('Mine');
    const other = { ...draft, name: 'Theirs', description: 'From the other tab' };
    await ok(service.rest('PUT', `/admin/campaigns/${campaign.id}`, { version: campaign.version, campaign: other }));
    await page.getByRole('button', { name: 'Save changes' }).click();
    await bar().getByRole('alert').waitFor();
    await bar().locator(':focus').waitFor();
    const row = bar().getByRole('row', { name: 'Name Theirs Mine' });
    await row.waitFor();
    await bar().getByRole('row', { name: 'From the other tab' }).waitFor();
    const [alert, save] = [
      await bar().getByRole('alert').boundingBox(),
      await page.getByRole('button', { name: 'Save changes' }).boundingBox(),
    ];
    expect(save!.y - alert!.y).toBeLessThan(page.viewportSize()!.height);
    await bar().getByRole('button', { name: 'Read it again and drop my changes' }).click();
    // The page fetches it first, which takes a busy machine longer than the default of a poll.
    await expect.poll(() => name().inputValue(), { timeout: 15_000 }).toBe('Theirs');
  });

  it('changes a campaign that starts later as a draft', async () => {
    const [{ audienceIds, rewardIds }] = await stored('First coffee');
    const missions = [{ type: 'MISSION', name: 'Come', programmaticCode: 'VISIT', target: 1 }];
    const startsAt = new Date(Date.now() + 86_400_000).toISOString();
    const draft = { name: 'Tomorrow', audienceIds, rewardIds, missions, startsAt };
    const { id } = await ok(service.rest('POST', '/admin/campaigns', draft));
    await ok(service.rest('POST', `/admin/campaigns/${id}/activate`));
    await signIn(page, service, operator, `/campaigns/${id}/edit`);
    await mission(1).getByLabel('Target').fill('-5');
    await mission(1).getByLabel('Target').blur();
    expect(await mission(1).getByLabel('Target').inputValue()).toBe('-5');
    await mission(1).getByLabel('Target').fill('9');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('VISIT events add up to 9.').waitFor();
  });

  it('speaks Spanish', async () => {
    const visitante = await browser.visitor({ locale: 'es-ES' });
    const other = await visitante.newPage();
    await other.goto(`${service.baseUrl}/console/campaigns/new`);
    await other.locator('input[type=email]').fill(operator.email);
    await other.locator('input[type=password]').fill(operator.password);
    await other.locator('button[type=submit]').click();
    await other.getByRole('group', { name: 'Guardar, y lo que falta' }).getByText('cosas faltan').waitFor();
    await visitante.close();
  });
});

describe('The calendar of campaigns', () => {
  it('shows what runs when, as bars and in words, and keeps what is shown in the address', async () => {
    const day = 86_400_000;
    const at = (days: number) => new Date(Date.now() + days * day).toISOString();
    const [{ audienceIds, rewardIds }] = await stored('First coffee');
    const missions = [{ type: 'MISSION', name: 'Come', programmaticCode: 'VISIT', target: 1 }];
    const draft = { audienceIds, rewardIds, missions };
    const make = (body: object) => ok(service.rest('POST', '/admin/campaigns', { ...draft, ...body }));
    await make({ name: 'Planned soon', startsAt: at(5), endsAt: at(12) });
    await make({ name: 'Planned far away', startsAt: at(200), endsAt: at(220) });
    const { id } = await make({ name: 'Held up', endsAt: at(20) });
    await ok(service.rest('POST', `/admin/campaigns/${id}/activate`));
    await ok(service.rest('POST', `/admin/campaigns/${id}/pause`));

    await signIn(page, service, operator, '/campaigns');
    await page.getByRole('link', { name: 'Calendar' }).click();
    const list = page.getByRole('list', { name: 'Calendar of campaigns' });
    const row = (called: string) => list.getByRole('listitem').filter({ hasText: called });
    await row('Planned soon').locator('[data-bar=DRAFT]').waitFor();
    await row('Held up').getByText('paused since').waitFor();
    await row('Held up').locator('[data-pause]').waitFor();
    await row('Welcome to Corner Coffee').getByText('no end set').waitFor();
    await page.locator('[data-today]').first().waitFor();
    expect(await row('Planned far away').count()).toBe(0);
    await page.getByRole('list', { name: 'Not planned yet' }).getByText('Autumn streak').waitFor();

    await page.getByText('Months', { exact: true }).click();
    await page.getByRole('button', { name: 'Later' }).click();
    await page.getByRole('button', { name: 'Later' }).click();
    await row('Planned far away').waitFor();
    expect(page.url()).toMatch(/scale=months/);
    await page.reload();
    await row('Planned far away').waitFor();
    await page.getByRole('link', { name: 'Planned far away' }).click();
    await page.getByRole('heading', { name: 'Planned far away' }).waitFor();
  });

  it('is a list on a phone', async () => {
    await visitor.close();
    visitor = await browser.visitor({ viewport: { width: 390, height: 800 } });
    page = await visitor.newPage();
    await signIn(page, service, operator, '/campaigns/calendar');
    await page.getByRole('listitem').filter({ hasText: 'First coffee' }).getByText('no end set').waitFor();
    expect(await page.locator('[data-bar]').first().isVisible()).toBe(false);
  });
});

describe('A standalone mission', () => {
  it('is a streak without an end, which pays at its milestones', async () => {
    await signIn(page, service, operator, '/campaigns/missions/new');
    await page.getByLabel('Name in the feed').fill('Every day');
    await choose('Event', 'VISIT');
    await choose('Type', 'Streak');
    await page.getByRole('switch', { name: 'No end' }).click();
    expect(await page.getByLabel('Target').count()).toBe(0);
    await page.getByRole('button', { name: 'Add a milestone' }).click();
    const milestone = page.getByRole('group', { name: 'Milestone 1' });
    await milestone.getByLabel('Periods').fill('7');
    await milestone.getByLabel('Freezes').fill('2');
    await choose('Audience', 'Every guest');
    await page.getByRole('button', { name: 'Create mission' }).click();
    await page.getByRole('heading', { name: 'Every day' }).first().waitFor();
    await page.getByText('VISIT events reach 1 in each day, without an end.').waitFor();
    await page.getByText('It pays at 7 times in a row.').waitFor();
    await page.getByText('2 streak freezes').waitFor();
  });

  it('is written, has a page with its sentence and figures, is changed, and ended', async () => {
    await signIn(page, service, operator, '/campaigns/missions');
    await page.getByRole('link', { name: 'New standalone mission' }).first().click();
    await page.getByRole('button', { name: 'Create mission' }).click();
    await page.getByLabel('Name in the feed').fill('Always three');
    await choose('Event', 'VISIT');
    await page.getByLabel('Target').fill('3');
    await choose('Audience', 'Every guest');
    await page.getByRole('button', { name: 'Create mission' }).click();
    await page.getByRole('heading', { name: 'Always three' }).first().waitFor();
    await page.getByText('VISIT events add up to 3.').waitFor();
    await page.getByText('Offered', { exact: true }).waitFor();
    await page.getByRole('definition').filter({ hasText: /^6$/ }).waitFor();

    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByText('This mission is offered').waitFor();
    expect(await page.getByLabel('Target').isDisabled()).toBe(true);
    await page.getByLabel('Name in the feed').fill('Always three visits');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('heading', { name: 'Always three visits' }).first().waitFor();
    await page.getByRole('button', { name: 'End' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End' }).click();
    await page.getByText('Over', { exact: true }).waitFor();
  });

  it('shows a viewer no way to change it', async () => {
    const viewer = await newOperator(service, 'VIEWER');
    await signIn(page, service, viewer, `/campaigns/missions/${shop.ids['/campaigns/missions/:id']}`);
    await page.getByText('How far accounts are').waitFor();
    expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'End' }).count()).toBe(0);
  });
});
