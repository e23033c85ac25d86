import { describe, expect, it } from 'vitest';
import { ok } from '../support/administration.ts';
import { operatorsDesk } from './support/desk.ts';

const desk = operatorsDesk();
const { post, open, inDialog } = desk;

const listed = async (code: string) =>
  (await ok(desk.service.rest('GET', `/admin/level-tracks/paginated?page=1&limit=9&search=${code}`))).rows;

const row = (text: string) => desk.page.getByRole('row').filter({ hasText: text });

/** A statistic of events with amounts. */
async function newStatistic(code: string): Promise<void> {
  const programmaticCode = code.toUpperCase();
  await post('/admin/event-definitions', { programmaticCode, type: 'AMOUNT' });
  const definition = { code, name: `Sum of ${code}`, programmaticCode, aggregation: 'SUM', period: 'MONTH' };
  await post('/admin/statistic-definitions', { statisticDefinition: definition });
}

describe('The page of levels', () => {
  it('creates a track, says who would rise and fall, changes it and deletes it', async () => {
    await newStatistic('teas');
    await post('/gamification/triggers', {
      ...{ programmaticCode: 'TEAS', accountId: 'tea-drinker', idType: 'EXTERNAL', metadata: { amount: 40 } },
    });
    await open('/levels');
    await desk.button('New level track').first().click();
    const dialog = desk.page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Code' }).first().fill('tea_tier');
    await dialog.getByRole('combobox', { name: 'Statistic' }).click();
    await desk.page.getByRole('option', { name: 'Sum of teas' }).click();
    for (const [number, code, threshold] of [
      [1, 'cup', '0'],
      [2, 'pot', '30'],
    ] as const) {
      const level = dialog.getByRole('group', { name: `Level ${number}` });
      await level.getByRole('textbox', { name: 'Code' }).fill(code);
      await level.getByRole('textbox', { name: 'From' }).fill(threshold);
    }
    await dialog.getByRole('combobox', { name: 'When the value falls' }).click();
    await desk.page.getByRole('option', { name: 'Down by one' }).click();
    await inDialog('Create level track').click();
    await row('tea_tier').getByText('pot (30)').waitFor();
    expect(await listed('tea_tier')).toMatchObject([
      { statisticCode: 'teas', downgrade: 'ONE', levels: [{ code: 'cup' }, { code: 'pot', threshold: 30 }] },
    ]);
    await desk.page.getByRole('button', { name: 'Actions for tea_tier' }).click();
    await desk.page.getByRole('menuitem', { name: 'Edit' }).click();
    await dialog.getByRole('group', { name: 'Level 2' }).getByRole('textbox', { name: 'From' }).fill('50');
    await inDialog('Count the accounts').click();
    await dialog.getByText('0 accounts rise, 1 falls, 0 stay.').waitFor();
    await inDialog('Save changes').click();
    await row('tea_tier').getByText('pot (50)').waitFor();
    await desk.page.getByRole('button', { name: 'Actions for tea_tier' }).click();
    await desk.page.getByRole('menuitem', { name: 'Delete' }).click();
    await inDialog('Delete').click();
    await row('tea_tier').waitFor({ state: 'detached' });
    expect(await listed('tea_tier')).toEqual([]);
  });

  it('shows a threshold that does not rise beside its field', async () => {
    await newStatistic('juices');
    await open('/levels');
    await desk.button('New level track').first().click();
    const dialog = desk.page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Code' }).first().fill('juice_tier');
    await dialog.getByRole('combobox', { name: 'Statistic' }).click();
    await desk.page.getByRole('option', { name: 'Sum of juices' }).click();
    for (const [number, code] of [
      [1, 'glass'],
      [2, 'jug'],
    ] as const) {
      const level = dialog.getByRole('group', { name: `Level ${number}` });
      await level.getByRole('textbox', { name: 'Code' }).fill(code);
      await level.getByRole('textbox', { name: 'From' }).fill('5');
    }
    await inDialog('Create level track').click();
    await dialog.getByRole('group', { name: 'Level 2' }).getByText('must be above 5').waitFor();
  });

  it('shows that a reward was archived meanwhile beside the rewards of its level', async () => {
    await newStatistic('beans');
    const { id } = await ok(desk.service.rest('POST', '/admin/rewards', { name: 'Roast', type: 'POINTS', amount: 5 }));
    await open('/levels');
    await desk.button('New level track').first().click();
    const dialog = desk.page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Code' }).first().fill('bean_tier');
    await dialog.getByRole('combobox', { name: 'Statistic' }).click();
    await desk.page.getByRole('option', { name: 'Sum of beans' }).click();
    const second = dialog.getByRole('group', { name: 'Level 2' });
    await second.getByRole('textbox', { name: 'Code' }).fill('sack');
    await second.getByRole('textbox', { name: 'From' }).fill('9');
    const level = dialog.getByRole('group', { name: 'Level 1' });
    await level.getByRole('textbox', { name: 'Code' }).fill('bag');
    await level.getByRole('textbox', { name: 'From' }).fill('5');
    await level.getByRole('combobox', { name: 'Rewards' }).click();
    await desk.page.getByRole('option', { name: 'Roast' }).click();
    await desk.page.keyboard.press('Tab');
    await post(`/admin/rewards/${id}/archive`, {});
    await inDialog('Create level track').click();
    await level.getByText('is archived').waitFor();
  });
});

describe('The page of an account', () => {
  it('shows its level in each track, the way to the next one, and the next review', async () => {
    await newStatistic('cakes');
    const levels = [
      { code: 'crumb', name: 'Crumb', threshold: 0 },
      { code: 'slice', name: 'Slice', threshold: 10 },
      { code: 'cake', name: 'Whole cake', threshold: 50 },
    ];
    const track = { code: 'cake_tier', name: 'Cakes', statisticCode: 'cakes', downgrade: 'BALANCE', levels };
    await post('/admin/level-tracks', { levelTrack: track });
    const { id } = await post('/accounts', { externalId: 'cake-lover' });
    await post('/gamification/triggers', { programmaticCode: 'CAKES', accountId: id, metadata: { amount: 12 } });
    await open(`/accounts/${id}?tab=levels`);
    await row('Cakes').getByText('Slice').waitFor();
    await row('Cakes').getByText('38 to Whole cake').waitFor();
  });
});
