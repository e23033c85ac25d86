import type { TestService } from '../../support/service.ts';

/** What stands in a client that has been worked in for a while: the ids that pages are opened with. */
export type BusyClient = {
  readonly accountId: string;
  readonly campaignId: string;
  readonly draftId: string;
  readonly audienceId: string;
  readonly rewardId: string;
  readonly productId: string;
};

/** Fills a service's client over REST, as its operators and its integrator would: every page has something to show. */
export async function busyClient(service: TestService): Promise<BusyClient> {
  const send = async (path: string, body: unknown) => {
    const { status, body: answer } = await service.rest('POST', path, body);
    if (status >= 300) throw new Error(`POST ${path} answered ${status}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const event = (programmaticCode: string, accountId: string, metadata: object = {}) =>
    send('/gamification/triggers', { programmaticCode, accountId, idType: 'EXTERNAL', metadata });

  await send('/admin/event-definitions', { programmaticCode: 'LOGIN', type: 'SINGLE' });
  await send('/admin/event-definitions', { programmaticCode: 'PURCHASE', type: 'AMOUNT', description: 'Euros, paid' });
  const product = await send('/admin/products', { name: 'Film ticket', stockMode: 'COUNTED' });
  const points = await send('/admin/rewards', { name: '100 points', type: 'POINTS', amount: 100, expiresInDays: 90 });
  const audience = await send('/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' });
  const draft = {
    name: 'Autumn of movement',
    description: 'A season of small habits',
    audienceIds: [audience.id],
    rewardIds: [points.id],
    missions: missions(points.id),
  };
  const campaign = await send('/admin/campaigns', draft);
  await send(`/admin/campaigns/${campaign.id}/activate`, undefined);
  const second = await send('/admin/campaigns', { ...draft, name: 'Winter of movement' });
  for (let player = 0; player < 6; player += 1) {
    await event('LOGIN', `player-${player}`);
    await event('PURCHASE', `player-${player}`, { amount: 20 + player });
  }
  const account = await send('/accounts/resolve', { externalId: 'player-1' });
  await send(`/admin/accounts/${account.id}/points/adjust`, { amount: 250, reason: 'Goodwill' });
  return {
    accountId: account.id,
    campaignId: campaign.id,
    draftId: second.id,
    audienceId: audience.id,
    rewardId: points.id,
    productId: product.id,
  };
}

/** One of each type, with conditions. */
function missions(rewardId: string): object[] {
  return [
    { type: 'MISSION', name: 'Look in once', programmaticCode: 'LOGIN', target: 1, rewardIds: [rewardId] },
    {
      type: 'CHALLENGE',
      name: 'Spend 200 in a week',
      programmaticCode: 'PURCHASE',
      target: 200,
      durationDays: 7,
      conditions: { minAmount: 5, maxPerPeriod: 150 },
    },
    {
      type: 'STREAK',
      name: 'Five days in a row',
      programmaticCode: 'LOGIN',
      target: 5,
      period: 'DAY',
      gracePeriods: 1,
    },
    {
      type: 'ROUTINE',
      name: 'Once a week',
      programmaticCode: 'LOGIN',
      target: 1,
      period: 'WEEK',
      occurrences: 4,
      conditions: { daysOfWeek: ['SATURDAY', 'SUNDAY'], timeFrom: '08:00', timeTo: '22:00' },
    },
  ];
}
