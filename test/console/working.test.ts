import { describe, expect, it } from 'vitest';
import { shopsDesk } from './support/desk.ts';

const desk = shopsDesk();

/** The page's calls of one operation from now on. */
function callsOf(operation: string): string[] {
  const calls: string[] = [];
  desk.page.on('request', (request) => {
    if (request.url().endsWith(`/${operation}`)) calls.push(request.url());
  });
  return calls;
}

describe('A form', () => {
  it('tells a fault beside its field before the service is asked', async () => {
    await desk.open('/events');
    const calls = callsOf('CreateEventDefinition');
    await desk.page.getByRole('button', { name: 'New event definition' }).click();
    await desk.page.getByLabel('Code').last().fill('no spaces, please');
    await desk.page.getByLabel('Description').fill('');
    await desk.page.getByText('This does not have the right form.').waitFor();
    await desk.page.getByRole('button', { name: 'Create event definition' }).click();
    await desk.page.getByText('This does not have the right form.').waitFor();
    expect(calls).toEqual([]);
  });

  it("tells the service's refusal with a trace id to copy, and keeps what was entered", async () => {
    await desk.open('/events');
    await desk.page.getByRole('button', { name: 'New event definition' }).click();
    const dialog = desk.page.getByRole('dialog');
    await dialog.getByLabel('Code').fill('VISIT');
    await dialog.getByRole('button', { name: 'Create event definition' }).click();
    await dialog.getByText('Trace id').waitFor();
    const traceId = await dialog.locator('code').innerText();
    expect(desk.service.log.some((line) => line.includes(traceId))).toBe(true);
    expect(await dialog.getByLabel('Code').inputValue()).toBe('VISIT');
  });

  it('of a campaign tells what does not go together, and creates the draft once it does', async () => {
    await desk.open('/campaigns/new');
    await desk.page.getByRole('button', { name: 'Create draft' }).click();
    await desk.page.getByText('Choose at least 1.').first().waitFor();
    // The button is at the end of a long form; the first fault is at its beginning.
    await desk.page.waitForFunction(() => document.activeElement?.getAttribute('data-path') === 'name');
    await desk.page.getByRole('textbox', { name: 'Name', exact: true }).fill('Spring');
    await choose('Audiences', 'Every guest');
    await choose('Completion rewards', '50 points');
    await desk.page.getByLabel('Name in the feed').fill('A purchase each week');
    await choose('Event', 'PURCHASE');
    await desk.page.getByLabel('Target').fill('25.5');
    await choose('Type', 'Routine');
    await desk.page.getByRole('button', { name: 'Create draft' }).click();
    await desk.page.getByText('A routine in a campaign needs this').waitFor();
    await desk.page.getByLabel('Periods to complete').fill('4');
    await desk.page.getByRole('button', { name: 'Create draft' }).click();
    await desk.page.getByRole('heading', { name: 'Spring' }).waitFor();
    await desk.page.getByText('PURCHASE events add up to 25.5 in each day; 4 times complete it.').waitFor();
  });

  it('that holds what was not saved asks before it is left', async () => {
    await desk.open('/campaigns/new');
    await desk.page.getByRole('textbox', { name: 'Name', exact: true }).fill('Half a thought');
    await desk.page.getByRole('link', { name: 'Accounts', exact: true }).click();
    await desk.page.getByRole('button', { name: 'Stay here' }).click();
    expect(await desk.page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Half a thought');
    await desk.page.getByRole('link', { name: 'Accounts', exact: true }).click();
    await desk.page.getByRole('button', { name: 'Leave' }).click();
    await desk.page.getByRole('heading', { name: 'Accounts' }).waitFor();
  });
});

describe('Two operators who change one campaign', () => {
  it('do not overwrite each other: the second is told and may read it again', async () => {
    const draft = desk.shop.ids['/campaigns/:id/edit'];
    await desk.open(`/campaigns/${draft}/edit`);
    const name = desk.page.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('The second wants this');
    const { body: campaign } = await desk.service.rest('GET', `/admin/campaigns/${draft}`);
    const first = await desk.service.rest('PUT', `/admin/campaigns/${draft}`, {
      version: campaign.version,
      campaign: draftOf(campaign),
    });
    expect(first.status).toBe(200);
    await desk.page.getByRole('button', { name: 'Save changes' }).click();
    await desk.page.getByRole('button', { name: 'Read it again and drop my changes' }).click();
    await desk.page.getByText('Edit The first was here').waitFor();
    await expect.poll(() => name.inputValue()).toBe('The first was here');
    const { body: stored } = await desk.service.rest('GET', `/admin/campaigns/${draft}`);
    expect(stored.name).toBe('The first was here');
  });
});

describe('A field of several things', () => {
  it('never shows the ids of what was chosen, also while their names are being read', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await desk.page.route(/\/List(Audiences|Rewards)$/, async (route) => {
      await held;
      await route.continue();
    });
    await desk.open(`/campaigns/${desk.shop.ids['/campaigns/:id/edit']}/edit`);
    await desk.page.locator('.mantine-Pill-root').first().waitFor();
    const pills = await desk.page.locator('.mantine-Pill-root').allInnerTexts();
    expect(pills.join(' ')).not.toMatch(/[0-9a-f]{8}-/);
    release();
    await expect
      .poll(async () => (await desk.page.locator('.mantine-Pill-root').allInnerTexts()).join(' '))
      .toMatch(/^[A-Z]\w+[^…]*$/);
  });
});

describe('What is destroyed', () => {
  it('is asked about first, and a No harms nothing', async () => {
    await desk.open(`/campaigns/${desk.shop.ids['/campaigns/:id']}`);
    for (const answer of ['Cancel', 'End']) {
      await desk.page.getByRole('button', { name: 'More actions' }).click();
      await desk.page.getByRole('menuitem', { name: 'End' }).click();
      await desk.page.getByRole('dialog').getByRole('button', { name: answer }).click();
      await desk.page.getByRole('dialog').waitFor({ state: 'hidden' });
      const status = desk.page.getByText(answer === 'Cancel' ? 'Active' : 'Finished', { exact: true });
      await status.first().waitFor();
    }
  });
});

describe('A table', () => {
  it('remembers its page size for the next visit, and not what it was narrowed by', async () => {
    await desk.open('/accounts');
    await desk.page.getByLabel('Search', { exact: true }).fill('guest-dana');
    await desk.page.getByText('1–1 of 1').waitFor();
    await choose('Rows per page', '50');
    await desk.page.getByRole('link', { name: 'Campaigns' }).click();
    await desk.page.getByRole('heading', { name: 'Campaigns' }).waitFor();
    await desk.page.getByRole('link', { name: 'Accounts', exact: true }).click();
    await desk.page.getByText('1–6 of 6').waitFor();
    expect(await desk.page.getByLabel('Search', { exact: true }).inputValue()).toBe('');
    expect(await desk.page.getByRole('combobox', { name: 'Rows per page' }).inputValue()).toBe('50');
    await desk.page.getByLabel('Search', { exact: true }).fill('nobody');
    await desk.page.getByRole('button', { name: 'Clear filters' }).click();
    await desk.page.getByText('1–6 of 6').waitFor();
  });

  it('orders rows by a column, the other way round when asked again, and remembers that too', async () => {
    await desk.open('/accounts');
    const first = desk.page.locator('tbody tr').first();
    await first.filter({ hasText: 'guest-ada' }).waitFor();
    const heading = desk.page.getByRole('columnheader', { name: 'Name' });
    await heading.getByRole('button').click();
    await heading.getByRole('button').click();
    await first.filter({ hasText: 'Farid Haddad' }).waitFor();
    expect(await heading.getAttribute('aria-sort')).toBe('descending');
    await desk.page.goto(`${desk.service.baseUrl}/console/accounts`);
    await first.filter({ hasText: 'Farid Haddad' }).waitFor();
  });
});

describe('The simulator', () => {
  it('says for each mission what would happen, or why nothing would', async () => {
    await desk.open('/simulator');
    await desk.page.getByRole('combobox', { name: 'Account' }).fill('guest-ben');
    await desk.page.getByRole('option', { name: /^guest-ben/ }).click();
    await choose('Event', 'VISIT');
    await desk.page.getByRole('button', { name: 'Simulate' }).click();
    await desk.page.getByText(/not running$/).click();
    await desk.page.getByText('Five days in a row').first().waitFor();
    await desk.page.getByText('Campaign not active').first().waitFor();
  });
});

describe('The console', () => {
  it('speaks Spanish once that is chosen, and after a reload', async () => {
    await desk.open('/settings');
    await choose('Language', 'Español');
    await desk.page.getByRole('heading', { name: 'Ajustes' }).waitFor();
    await desk.page.reload();
    await desk.page.getByRole('heading', { name: 'Ajustes' }).waitFor();
    expect(await desk.page.locator('html').getAttribute('lang')).toBe('es');
  });

  it("filters the audit log by the words that it shows, in the person's language, with the year", async () => {
    await desk.service.rest('POST', '/admin/audiences', { name: 'Lectores', kind: 'MANUAL' });
    await desk.open('/settings');
    await choose('Language', 'Español');
    await desk.page.getByRole('heading', { name: 'Ajustes' }).waitFor();
    await desk.page.getByRole('link', { name: 'Registro de cambios' }).click();
    const search = desk.page.getByRole('search');
    await search.getByRole('combobox', { name: 'Qué se hizo' }).fill('crear aud');
    await desk.page.getByRole('option', { name: 'Crear audiencia' }).click();
    await search.getByRole('combobox', { name: 'Clase de cosa' }).fill('audi');
    await desk.page.getByRole('option', { name: 'Audiencia', exact: true }).click();
    const row = desk.page.getByRole('row', { name: 'Lectores' });
    await row.waitFor();
    await desk.page.getByRole('row').filter({ hasText: 'Crear campaña' }).first().waitFor({ state: 'detached' });
    expect(await row.innerText()).toMatch(new RegExp(`Crear audiencia[^]*Audiencia`));
    expect(await row.innerText()).toContain(String(new Date().getFullYear()));
  });

  it('works by keyboard alone: an event definition is created without a pointer', async () => {
    await desk.open('/events');
    await desk.page.getByRole('button', { name: 'New event definition' }).focus();
    await desk.page.keyboard.press('Enter');
    await desk.page.getByRole('dialog').waitFor();
    await desk.page.waitForFunction(() => document.activeElement?.tagName === 'INPUT');
    await desk.page.keyboard.type('KEYBOARD');
    await desk.page.keyboard.press('Enter');
    await desk.page.getByRole('dialog').waitFor({ state: 'hidden' });
    await desk.page.getByRole('row', { name: 'KEYBOARD' }).waitFor();
  });
});

/** Picks an option of a select by its label, as a person does. */
async function choose(label: string, option: string): Promise<void> {
  await desk.page.getByRole('combobox', { name: label }).click();
  await desk.page.getByRole('option', { name: option }).first().click();
  await desk.page.keyboard.press('Escape');
}

/** The fields of a stored mission that a draft must not have. */
const NOT_OF_A_DRAFT = ['campaignId', 'audienceId', 'position', 'version', 'createdAt', 'updatedAt'];

/** The draft that leaves a campaign unchanged, except for its name. */
function draftOf(campaign: { missions: object[] } & Record<string, unknown>): object {
  const { description, audienceIds, rewardIds } = campaign;
  const missions = campaign.missions.map((mission) =>
    Object.fromEntries(Object.entries(mission).filter(([field]) => !NOT_OF_A_DRAFT.includes(field))),
  );
  return { name: 'The first was here', description, audienceIds, rewardIds, missions };
}

it('An account shows how many periods of a routine it has completed', async () => {
  await desk.open(`/accounts/${desk.shop.ids['/accounts/:id']}?tab=feed`);
  await desk.page.getByRole('row', { name: 'A visit a week' }).getByText('0 of 2 periods').waitFor();
});
