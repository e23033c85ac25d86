import { ok } from '../../support/administration.ts';
import type { TestService } from '../../support/service.ts';

/** Something for each widget to show: a level track with a badge, and two more badges of which one is secret. */
export async function newWidgetGame(service: TestService): Promise<void> {
  const create = (path: string, body: object) => ok(service.rest('POST', path, body));
  await create('/admin/event-definitions', { programmaticCode: 'VISIT', type: 'SINGLE' });
  const statistic = { code: 'visits', name: 'Visits', programmaticCode: 'VISIT', aggregation: 'COUNT' };
  await create('/admin/statistic-definitions', { statisticDefinition: { ...statistic, period: 'ALL_TIME' } });
  const badge = (name: string, more: object = {}) =>
    create('/admin/rewards', { name, type: 'BADGE', amount: 1, description: `For ${name.toLowerCase()}.`, ...more });
  const regular = await badge('Regular guest');
  await badge('A year of visits without a single missed week');
  await badge('Night owl', { secret: true });
  const levels = [
    { code: 'silver', name: 'Silver', threshold: 2, rewardIds: [regular.id] },
    { code: 'gold', name: 'Gold', threshold: 10 },
  ];
  await create('/admin/level-tracks', {
    levelTrack: { code: 'tier', name: 'Guests', statisticCode: 'visits', levels },
  });
}

/** A new account with visits and points. */
export async function newGuest(
  service: TestService,
  {
    externalId = crypto.randomUUID(),
    visits = 0,
    points = 0,
  }: { externalId?: string; visits?: number; points?: number },
): Promise<string> {
  const { id } = await ok(service.rest('POST', '/accounts', { externalId }));
  for (let at = 0; at < visits; at += 1) await visit(service, id);
  if (points > 0) await givePoints(service, id, points);
  return id;
}

/** One event of the account. */
export async function visit(service: TestService, accountId: string): Promise<void> {
  await ok(service.rest('POST', '/gamification/triggers', { programmaticCode: 'VISIT', accountId }));
}

/** Points from an operator. */
export async function givePoints(service: TestService, accountId: string, amount: number): Promise<void> {
  await ok(service.rest('POST', `/admin/accounts/${accountId}/points/adjust`, { amount, reason: 'test' }));
}
