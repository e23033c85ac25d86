import { describe, expect, it } from 'vitest';
import { ok } from '../support/administration.ts';
import { operatorsDesk } from './support/desk.ts';

const desk = operatorsDesk();
const { post, open, inDialog } = desk;

const listed = async (code: string) =>
  (await ok(desk.service.rest('GET', `/admin/statistic-definitions/paginated?page=1&limit=9&search=${code}`))).rows;

const row = (text: string) => desk.page.getByRole('row').filter({ hasText: text });

/** Picks an option of a select by its label, as a person does. */
async function choose(label: string, option: string): Promise<void> {
  await desk.page.getByRole('dialog').getByRole('combobox', { name: label }).click();
  await desk.page.getByRole('option', { name: option }).first().click();
}

/** Events with amounts and a statistic of them. */
async function newStatistic(code: string) {
  const programmaticCode = code.toUpperCase();
  await post('/admin/event-definitions', { programmaticCode, type: 'AMOUNT' });
  const definition = { code, name: `Sum of ${code}`, programmaticCode, aggregation: 'SUM', period: 'MONTH' };
  return post('/admin/statistic-definitions', { statisticDefinition: definition });
}

describe('The page of statistics', () => {
  it('creates one, with the names that its condition may use, renames it and deletes it', async () => {
    await post('/admin/event-definitions', { programmaticCode: 'TEAS', type: 'AMOUNT' });
    await open('/statistics');
    await desk.button('New statistic').first().click();
    const dialog = desk.page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Code' }).fill('teas_week');
    await choose('Events', 'TEAS');
    await choose('Value', 'Largest');
    await dialog.getByText('The largest amount of an event.').waitFor();
    await choose('Period', 'Week');
    await dialog.getByLabel('Only events for which this holds').fill('event.amount > 2.0');
    await dialog.getByRole('button', { name: 'account.createdAt' }).waitFor();
    expect(await dialog.getByRole('button', { name: 'mission.progress' }).count()).toBe(0);
    await dialog.getByLabel('Also count past events').check({ force: true });
    await inDialog('Create statistic').click();
    await row('teas_week').getByText('Largest').waitFor();
    await row('teas_week')
      .getByText(/counted up to/)
      .waitFor();
    const counted = { aggregation: 'MAX', period: 'WEEK', programmaticCode: 'TEAS', countsPastEvents: true };
    expect(await listed('teas_week')).toMatchObject([{ ...counted, condition: 'event.amount > 2.0' }]);
    await desk.page.getByRole('button', { name: 'Actions for teas_week' }).click();
    await desk.page.getByRole('menuitem', { name: 'Edit' }).click();
    await dialog.getByLabel('Name').fill('Largest tea of a week');
    await inDialog('Save changes').click();
    await row('Largest tea of a week').waitFor();
    await desk.page.getByRole('button', { name: 'Actions for teas_week' }).click();
    await desk.page.getByRole('menuitem', { name: 'Delete' }).click();
    await inDialog('Delete').click();
    await row('teas_week').waitFor({ state: 'detached' });
    expect(await listed('teas_week')).toEqual([]);
  });

  it('creates one of earned points, which needs neither events nor a condition', async () => {
    await open('/statistics');
    await desk.button('New statistic').first().click();
    const dialog = desk.page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Code' }).fill('points_week');
    await choose('What it counts', 'Points earned');
    await dialog.getByText('The points that rewards pay.').waitFor();
    await dialog.getByLabel('Events').waitFor({ state: 'detached' });
    await choose('Period', 'Week');
    await inDialog('Create statistic').click();
    await row('points_week').getByText('Points earned').waitFor();
    expect(await listed('points_week')).toMatchObject([{ source: 'POINTS', aggregation: 'SUM', period: 'WEEK' }]);
    await desk.page.getByRole('button', { name: 'Actions for points_week' }).click();
    await desk.page.getByRole('menuitem', { name: 'Edit' }).click();
    await dialog.getByLabel('Name').fill('Points of a week');
    await inDialog('Save changes').click();
    await row('Points of a week').waitFor();
  });

  it('says which expression keeps one from being deleted', async () => {
    await newStatistic('kept');
    const expression = 'account.statistics.kept > 5.0';
    await post('/admin/audiences', { name: 'Keepers', kind: 'RULE', expression });
    await open('/statistics');
    await desk.page.getByRole('button', { name: 'Actions for kept' }).click();
    await desk.page.getByRole('menuitem', { name: 'Delete' }).click();
    await inDialog('Delete').click();
    await desk.page.getByRole('dialog').getByText("audience 'Keepers'").waitFor();
  });
});

describe('The page of an account', () => {
  it('shows its statistics, and support corrects one with a reason', async () => {
    await newStatistic('cups');
    const { id } = await post('/accounts', { externalId: 'with-cups' });
    await post('/gamification/triggers', { programmaticCode: 'CUPS', accountId: id, metadata: { amount: 7.5 } });
    await open(`/accounts/${id}?tab=statistics`);
    await row('Sum of cups').getByText('7.5').waitFor();
    await desk.page.getByRole('button', { name: 'Actions for Sum of cups' }).click();
    await desk.page.getByRole('menuitem', { name: 'Correct' }).click();
    await desk.page.getByRole('dialog').getByLabel('Value').fill('12');
    await desk.page.getByRole('dialog').getByLabel('Reason').fill('A lost receipt');
    await inDialog('Correct').click();
    await row('Sum of cups').getByText('12', { exact: true }).waitFor();
    const { rows } = await ok(desk.service.rest('GET', `/v1/accounts/${id}/statistics`));
    expect(rows.find(({ code }: { code: string }) => code === 'cups')).toMatchObject({ value: 12 });
  });
});
