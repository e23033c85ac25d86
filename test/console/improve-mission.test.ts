import { describe, expect, it } from 'vitest';
import { ok } from '../support/administration.ts';
import { operatorsDesk } from './support/desk.ts';
import { settled, violations } from './support/looking.ts';

const desk = operatorsDesk();
const { open, post, seesText } = desk;

/** Two accounts with 9 of 10. */
async function almostThere(code: string): Promise<void> {
  const event = { programmaticCode: code, idType: 'EXTERNAL', metadata: { amount: 9 } };
  for (const accountId of [`first of ${code}`, `second of ${code}`])
    await post('/gamification/triggers', { ...event, accountId });
}

describe('A mission that accounts play', { timeout: 60_000 }, () => {
  it('becomes easier in the page of its campaign, which says before how many accounts complete it', async () => {
    await post('/admin/event-definitions', { programmaticCode: 'SOLD', type: 'AMOUNT' });
    const audience = await post('/admin/audiences', { name: 'Everyone here', kind: 'EVERYONE' });
    const reward = await post('/admin/rewards', { name: 'Ten points', type: 'POINTS', amount: 10 });
    await post('/admin/rewards', { name: 'Five more points', type: 'POINTS', amount: 5 });
    const mission = { type: 'MISSION', name: 'Sell ten', programmaticCode: 'SOLD', target: 10 };
    const draft = { name: 'Sales', audienceIds: [audience.id], rewardIds: [reward.id], missions: [mission] };
    const { id } = await post('/admin/campaigns', draft);
    await open(`/campaigns/${id}`);
    expect(await desk.button('Make it easier').count()).toBe(0);
    await post(`/admin/campaigns/${id}/activate`);
    await almostThere('SOLD');
    await open(`/campaigns/${id}`);
    await desk.button('Make it easier').click();
    const dialog = desk.page.getByRole('dialog', { name: 'Make Sell ten easier or worth more' });
    await dialog.getByText('Fill in a lower target, or choose rewards to add.').waitFor();
    await dialog.getByRole('textbox', { name: 'New target' }).fill('12');
    await dialog.getByText(/must be lower than 10/).waitFor();
    await dialog.getByRole('textbox', { name: 'New target' }).fill('9');
    await dialog.getByText('2 accounts have reached this target.').waitFor();
    await dialog.getByRole('combobox', { name: 'Rewards to add' }).click();
    await desk.page.getByRole('option', { name: 'Five more points' }).click();
    await settled(desk.page);
    expect(await violations(desk.page, 'dialog')).toEqual([]);
    await dialog.getByRole('button', { name: 'Change the mission' }).click();
    await seesText('The mission Sell ten is changed.');
    await dialog.waitFor({ state: 'detached' });
    const { missions } = await ok(desk.service.rest('GET', `/admin/campaigns/${id}`));
    expect(missions[0]).toMatchObject({ target: 9, rewardIds: [expect.any(String)] });
    await desk.page.getByText('Five more points').first().waitFor();
  });
});
