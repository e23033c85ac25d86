import fc from 'fast-check';
import { expect } from 'vitest';
import { type Rest, type RestAnswer, restAs, type Tenant, type TestService } from '../../support/service.ts';
import { MOST, type StreakRule } from './streak-parts.ts';

type Json = RestAnswer['body'];

/** The points of a freeze. */
export const PRICE = 7;
const BEGIN = '2020-01-01T00:00:00Z';
/** The points of milestones: each is another digit of the balance. */
const MILESTONES = [
  { length: 2, points: 1, freezes: 1 },
  { length: 3, points: 10, freezes: 0 },
  { length: 5, points: 100, freezes: 2 },
] as const;

export const zones = fc.constantFrom('Pacific/Niue', 'America/Santiago', 'UTC', 'Europe/Madrid', 'Pacific/Kiritimati');

/** A world has either merges, and zones of the client, or zones of accounts and streaks with a target. */
export const world = fc.record({
  merges: fc.boolean(),
  inCampaign: fc.boolean(),
  zone: zones,
  streaks: fc.array(
    fc.record({
      period: fc.constantFrom('DAY', 'DAY', 'DAY', 'WEEK'),
      goal: fc.constantFrom(1, 1, 3),
      gracePeriods: fc.constantFrom(0, 0, 1, 2),
      target: fc.constantFrom(undefined, undefined, 3, 4),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});
export type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

/** A client with the streaks of a world, on two hosts. */
export type Game = {
  readonly tenant: Tenant;
  readonly rules: readonly StreakRule[];
  readonly call: (host: boolean) => Rest;
};

/** A call that must succeed. */
export async function ok(rest: Rest, method: string, path: string, body?: Json): Promise<Json> {
  const answer = await rest(method, path, body);
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}

/** Creates the client of a world. */
export async function newGame(
  [service, other]: readonly [TestService, TestService],
  { merges, inCampaign, zone, streaks }: World,
): Promise<Game> {
  const tenant = await service.newTenant(zone);
  const [here, there] = [restAs(service.baseUrl, tenant), restAs(other.baseUrl, tenant)];
  const settings = { freezesMax: MOST, freezePrice: PRICE, vacationDaysMax: 365 };
  await change(here, tenant, { streaks: settings });
  const { id: audienceId } = await ok(here, 'POST', '/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' });
  const rewards: string[] = [];
  for (const { points: amount } of MILESTONES)
    rewards.push((await ok(here, 'POST', '/admin/rewards', { name: `${amount}`, type: 'POINTS', amount })).id);
  const rules: StreakRule[] = [];
  // Missions of the campaign are older than the others, but a later position goes behind those.
  const inside = inCampaign && !merges ? streaks.slice(0, -1) : [];
  const missions: Json[] = [];
  for (const [index, draft] of streaks.entries()) {
    const code = `CODE_${index}`;
    await ok(here, 'POST', '/admin/event-definitions', { programmaticCode: code, type: 'AMOUNT' });
    const { period, gracePeriods, goal } = draft;
    const isInside = index < inside.length;
    const target = isInside ? 30 : merges ? undefined : draft.target;
    const milestones = isInside ? [] : MILESTONES.filter(({ length }) => length <= (target ?? Infinity));
    missions.push({
      ...{ type: 'STREAK', name: code, programmaticCode: code, period, gracePeriods, perPeriodTarget: goal },
      ...(target === undefined ? { endless: true } : { target }),
      startsAt: BEGIN,
      milestones: milestones.map(({ length, freezes }, place) => {
        return { length, rewardIds: [rewards[place]], ...(freezes > 0 && { freezes }) };
      }),
    });
    const position = isInside ? index : 0;
    rules.push({ id: '', code, period, gracePeriods, goal, target, milestones, position });
  }
  const ids: string[] = [];
  if (inside.length > 0) {
    const draft = {
      name: 'Both',
      audienceIds: [audienceId],
      rewardIds: [rewards[0]],
      startsAt: BEGIN,
      missions: missions.splice(0, inside.length),
    };
    const campaign = await ok(here, 'POST', '/admin/campaigns', draft);
    await ok(here, 'POST', `/admin/campaigns/${campaign.id}/activate`);
    ids.push(...campaign.missions.map((mission: Json) => mission.id));
  }
  for (const mission of missions) ids.push((await ok(here, 'POST', '/admin/missions', { audienceId, mission })).id);
  for (const [index, id] of ids.entries()) rules[index] = { ...rules[index]!, id };
  return { tenant, rules, call: (host) => (host ? here : there) };
}

/** Changes the client. */
export async function change(rest: Rest, { clientId }: Tenant, changes: object): Promise<void> {
  const { version, name, timeZone, streaks } = await ok(rest, 'GET', `/admin/clients/${clientId}`);
  await ok(rest, 'PUT', `/admin/clients/${clientId}`, { version, name, timeZone, streaks, ...changes });
}

/** The external id of an account. */
export const nameOf = (who: number) => `person ${who}`;
/** A path in which `{id}` is replaced by the account's. */
export const path = (who: number, rest: string) => rest.replace('{id}', encodeURIComponent(nameOf(who)));

/** The items of an account's feed by mission. */
export async function feed(rest: Rest, who: number): Promise<Readonly<Record<string, Json>>> {
  const status = ['ACTIVE', 'COMPLETED', 'EXPIRED'];
  const filters = encodeURIComponent(JSON.stringify({ filters: [{ field: 'status', value: status }] }));
  const items: Json[] = await ok(rest, 'GET', path(who, `/v1/feed/account/{id}?idType=EXTERNAL&filters=${filters}`));
  return Object.fromEntries(items.map((item) => [item.missionId, item]));
}

/** The streaks of an account as the service shows them, and its points. */
export async function shown(rest: Rest, who: number): Promise<Json> {
  const [items, { available }] = await Promise.all([
    feed(rest, who),
    ok(rest, 'GET', path(who, '/loyalty/accounts/{id}/points?idType=EXTERNAL')),
  ]);
  const streaks = Object.values(items).map(({ missionId, status, streak }) => {
    if (status === 'COMPLETED') return [missionId, { status }];
    return [missionId, { status, current: streak.current, longest: streak.longest }];
  });
  return { points: available, streaks: Object.fromEntries(streaks) };
}
