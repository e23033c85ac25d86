import { ok } from '../../support/administration.ts';
import type { TestService } from '../../support/service.ts';

/** Something for each widget to show: a level track with a badge, two more badges, missions, a streak, a leaderboard and a chest. */
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
  const points = (name: string, amount: number) => create('/admin/rewards', { name, type: 'POINTS', amount });
  const [ten, more] = [await points('Ten points', 10), await points('Twenty-five points', 25)];
  const chest = await create('/admin/chests', { name: 'Daily chest', entries: [{ rewardId: more.id, weight: 1 }] });
  const box = await create('/admin/rewards', { name: 'A daily chest', type: 'CHEST', amount: 1, chestId: chest.id });
  const { id: audienceId } = await create('/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' });
  const mission = (type: string, name: string, more: object) =>
    create('/admin/missions', { audienceId, mission: { type, name, programmaticCode: 'VISIT', ...more } });
  await mission('MISSION', 'First visit', { target: 1, rewardIds: [box.id] });
  await mission('MISSION', 'Five visits', { target: 5, rewardIds: [ten.id], description: 'Come by five times.' });
  const milestones = [{ length: 3, rewardIds: [ten.id] }];
  await mission('STREAK', 'A visit each day', { period: 'DAY', target: 30, milestones, gracePeriods: 1 });
  const leaderboard = { name: 'Most visits', statisticCode: 'visits' };
  const { id } = await create('/admin/leaderboards', { leaderboard });
  await create(`/admin/leaderboards/${id}/activate`, {});
}

/** A new account with visits and points. */
export async function newGuest(
  service: TestService,
  {
    externalId = crypto.randomUUID(),
    visits = 0,
    points = 0,
  }: { externalId?: string; visits?: number; points?: number } = {},
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
