import { describe, expect, it } from 'vitest';
import { ok } from '../support/administration.ts';
import { operatorsDesk } from './support/desk.ts';
import { settled, violations } from './support/looking.ts';

const desk = operatorsDesk();
const { open, post, seesText } = desk;

/** A draft of a campaign for everybody. */
async function newDraft(name: string) {
  const code = name.toUpperCase().replaceAll(' ', '_');
  await post('/admin/event-definitions', { programmaticCode: code, type: 'SINGLE' });
  const audience = await post('/admin/audiences', { name: `All of ${name}`, kind: 'EVERYONE' });
  const reward = await post('/admin/rewards', { name: 'A point', type: 'POINTS', amount: 1 });
  const campaign = await post('/admin/campaigns', {
    ...{ name, audienceIds: [audience.id], rewardIds: [reward.id] },
    missions: [{ type: 'MISSION', name, programmaticCode: code, target: 1 }],
  });
  return { code, id: campaign.id as string };
}

/** Gives a draft a control group of half of the accounts. */
async function hold(id: string, code: string): Promise<void> {
  const { version, name, audienceIds, rewardIds } = await ok(desk.service.rest('GET', `/admin/campaigns/${id}`));
  const missions = [{ type: 'MISSION', name, programmaticCode: code, target: 1 }];
  const campaign = { name, audienceIds, rewardIds, missions, controlGroupPercent: 50 };
  await ok(desk.service.rest('PUT', `/admin/campaigns/${id}`, { version, campaign }));
}

const percent = () => desk.page.getByRole('textbox', { name: 'Control group' });

describe('A control group', { timeout: 60_000 }, () => {
  it('is set in the editor until the campaign begins, and shown on the page of the campaign', async () => {
    const { id } = await newDraft('Held');
    await open(`/campaigns/${id}`);
    await seesText('None: nobody is held back');
    await open(`/campaigns/${id}/edit`);
    await percent().fill('91');
    await desk.button('Save changes').click();
    await desk.page.getByText(/90/).first().waitFor();
    await percent().fill('50');
    await desk.button('Save changes').click();
    await seesText('50 % of the accounts are held back');
    expect(await ok(desk.service.rest('GET', `/admin/campaigns/${id}`))).toMatchObject({ controlGroupPercent: 50 });
    await post(`/admin/campaigns/${id}/activate`);
    await open(`/campaigns/${id}/edit`);
    expect(await percent().inputValue()).toBe('50 %');
    expect(await percent().isDisabled()).toBe(true);
  });

  it('is compared with the other accounts by a statistic, which a client without any is told to create', async () => {
    const { code, id } = await newDraft('Compared');
    await hold(id, code);
    await post(`/admin/campaigns/${id}/activate`);
    await open(`/campaigns/${id}`);
    await seesText('Create a statistic of what the campaign should change');
    const statistic = (of: string) => ({ code: of, name: of, programmaticCode: code, period: 'DAY' });
    await post('/admin/statistic-definitions', {
      statisticDefinition: { ...statistic('visits'), aggregation: 'COUNT' },
    });
    await post('/admin/statistic-definitions', { statisticDefinition: { ...statistic('days'), aggregation: 'DAYS' } });
    const triggers = Array.from({ length: 150 }, (_, index) => {
      return { programmaticCode: code, accountId: `compared ${index}`, idType: 'EXTERNAL' };
    });
    await post('/gamification/triggers/batch', { triggers });
    await open(`/campaigns/${id}`);
    // Everybody has one event, so the groups do not differ.
    await seesText('The difference may be chance.');
    await seesText('1 on average');
    await desk.page.getByRole('combobox', { name: 'Compared by' }).click();
    await desk.page.getByRole('option', { name: 'visits' }).click();
    await seesText('0, in truth probably between 0 and 0 (95 %)');
    await settled(desk.page);
    expect(await violations(desk.page, 'campaign')).toEqual([]);
  });

  it('is named on the page of an account that it holds back, and on no other', async () => {
    const { code, id } = await newDraft('Named');
    await hold(id, code);
    await post(`/admin/campaigns/${id}/activate`);
    const seen = new Map<boolean, string>();
    while (seen.size < 2) {
      const account = (await post('/accounts', {})).id as string;
      const trigger = { programmaticCode: code, accountId: account };
      const [mission] = await ok(desk.service.rest('POST', '/gamification/triggers/simulate', trigger));
      seen.set(mission.uncountedReason === 'CONTROL_GROUP', account);
    }
    const groups = () => desk.page.getByRole('region', { name: 'In the control group of' });
    await open(`/accounts/${seen.get(true)}`);
    await groups().getByRole('link', { name: 'Named' }).waitFor();
    await settled(desk.page);
    expect(await violations(desk.page, 'account')).toEqual([]);
    await groups().getByRole('link', { name: 'Named' }).click();
    await seesText('50 % of the accounts are held back');
    await open(`/accounts/${seen.get(false)}`);
    await desk.page.getByRole('region', { name: 'Audiences' }).getByRole('link').first().waitFor();
    await settled(desk.page);
    // Another campaign may hold it back.
    expect(await groups().getByRole('link', { name: 'Named' }).count()).toBe(0);
  });
});
