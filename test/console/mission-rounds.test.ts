import { expect, it } from 'vitest';
import { newGame } from '../support/game.ts';
import { operatorsDesk } from './support/desk.ts';

const desk = operatorsDesk();

it('offers to count events where amounts are, and rounds; a copy and the sentence keep both', async () => {
  const { page, service } = desk;
  const { campaignId } = await newGame(service, { activate: false, campaign: { name: 'Vouchers' } });
  await desk.open(`/campaigns/${campaignId}/edit`);
  const mission = page.getByRole('group', { name: 'Mission 1', exact: true });
  await mission.getByRole('combobox', { name: 'How often' }).waitFor();
  expect(await mission.getByRole('combobox', { name: 'What counts' }).count()).toBe(0);

  const choose = async (label: string, option: string) => {
    await mission.getByRole('combobox', { name: label }).click();
    await page.getByRole('option', { name: option }).first().click();
  };
  await choose('Event', 'PURCHASE');
  await mission.getByLabel('Target').fill('3');
  await choose('What counts', 'The number of events');
  await choose('How often', 'At each multiple of the target');
  await mission.getByLabel('Times at most').fill('5');
  await page.getByRole('button', { name: 'Save' }).click();
  for (const sentence of ['3 PURCHASE events.', 'It starts again at each multiple, at most 5 times.'])
    await page.getByText(sentence).waitFor();
  const { body } = await service.rest('GET', `/admin/campaigns/${campaignId}`);
  expect(body.missions).toMatchObject([{ counts: 'EVENTS', repeat: { max: 5 } }]);

  const copy = await service.rest('POST', `/admin/campaigns/${campaignId}/duplicate`, { name: 'Vouchers again' });
  expect(copy.body.missions).toMatchObject([{ counts: 'EVENTS', repeat: { max: 5 } }]);
});

it('shows how often an account has completed a mission beside its present round', async () => {
  const { page, service } = desk;
  const mission = { programmaticCode: 'PURCHASE', target: 100, repeat: {} };
  await newGame(service, { missions: [mission] });
  const event = { programmaticCode: 'PURCHASE', accountId: 'ada', idType: 'EXTERNAL', metadata: { amount: 250 } };
  await service.rest('POST', '/gamification/triggers', event);
  const { body } = await service.rest('POST', '/accounts/resolve', { externalId: 'ada' });
  await desk.open(`/accounts/${body.id}?tab=feed`);
  await page.getByText('50 / 100 · completed 2 times').first().waitFor();
});
