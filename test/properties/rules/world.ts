import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { Journey, Stage } from '../../journeys/stage.ts';
import type { RestAnswer } from '../../support/service.ts';
import { AMOUNT_MAX } from './formulas.ts';
import { MUGS, POINTS_OF_MILESTONE } from './model.ts';
import { type Campaign, type Game, type Home, type Mission, type Player, players } from './steps.ts';

const ISO_DAYS = ['', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'];

const TIER = { name: 'tier', type: 'STRING', allowedValues: ['GOLD', 'SILVER'] };

/** The most points and mugs of one account; infinite points if a mission has no end of its rounds. */
export type Cost = { points: number; mugs: number };

/** A client of the service with the missions of a game. */
export type World = {
  readonly stage: Stage;
  readonly missions: readonly Mission[];
  /** The mission with this id. */
  readonly missionOf: (id: string) => Mission;
  readonly campaignIds: Readonly<Record<Campaign, string>>;
  readonly audienceId: string;
  readonly aloneId: string;
  /** The most that an account can earn from each campaign, by the previews of its activation and of each later end. */
  readonly costs: Readonly<Record<Campaign, Cost>>;
  /** The internal id of an account, which is created if necessary. */
  idOf(who: Player): Promise<string>;
  /** Changes the end of a campaign. */
  reschedule(campaign: Campaign, endsAt: number | undefined): Promise<RestAnswer>;
};

/** Creates a game through the administration API. With a control group all accounts exist from the beginning, because their ids decide. */
export async function newWorld(
  journey: Journey,
  { zone, missions, startsHoursBefore, endsHoursAfter, isOpenByRule, formulas: ofCampaigns, heldBack }: Game,
): Promise<World> {
  const stage = await journey.stage(zone);
  const { admin } = stage;
  await admin('/admin/event-definitions', {
    programmaticCode: 'PAY',
    type: 'AMOUNT',
    attributes: [{ name: 'category', type: 'STRING', allowedValues: ['tea', 'coffee'] }],
  });
  expect(await stage.rest('PUT', '/admin/account-attributes', { version: 1, attributes: [TIER] })).toMatchObject({
    status: 200,
  });
  const everyone = await admin('/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' });
  const gold = await admin('/admin/audiences', { name: 'Gold', kind: 'RULE', expression: 'account.tier == "GOLD"' });
  const { id: audienceId } = await admin('/admin/audiences', { name: 'Some', kind: 'MANUAL' });
  const mug = await admin('/admin/products', { name: 'Mug', stockMode: 'COUNTED', stock: MUGS });
  const [one, seven, five, mugs] = await Promise.all([
    admin('/admin/rewards', { name: 'One', type: 'POINTS', amount: 1 }),
    admin('/admin/rewards', { name: 'Seven', type: 'POINTS', amount: POINTS_OF_MILESTONE }),
    admin('/admin/rewards', { name: 'Five', type: 'POINTS', amount: 5 }),
    admin('/admin/rewards', { name: 'Mug', type: 'PRODUCTS', amount: 1, productId: mug.id }),
  ]);
  const calculated = new Map<string, string>();
  for (const amountExpression of new Set([...missions.map(({ formula }) => formula), ...Object.values(ofCampaigns)])) {
    if (amountExpression === undefined) continue;
    const reward = { name: 'Formula', type: 'POINTS', amountExpression, amountMax: AMOUNT_MAX };
    calculated.set(amountExpression, (await admin('/admin/rewards', reward)).id);
  }
  const rewardOf = (formula: string | undefined, fixed: { readonly id: string }) =>
    formula === undefined ? fixed.id : calculated.get(formula)!;
  const startOf = (home: Home) => {
    const hours = startsHoursBefore[home];
    return hours === undefined ? undefined : new Date(journey.clock.read().getTime() - hours * 3_600_000).toISOString();
  };
  const endOf = (home: Campaign) => {
    const hours = endsHoursAfter[home];
    return hours === undefined ? undefined : new Date(journey.clock.read().getTime() + hours * 3_600_000).toISOString();
  };
  const byId = new Map<string, Mission>();
  const draftOf = (mission: Mission, name: string, prerequisite?: string) => ({
    type: mission.type,
    name,
    programmaticCode: 'PAY',
    ...(mission.isEndless ? { endless: true } : { target: mission.target }),
    milestones: mission.milestones?.map((length) => ({ length, rewardIds: [seven.id] })),
    period: mission.period,
    perPeriodTarget: mission.perPeriodTarget,
    gracePeriods: mission.gracePeriods,
    occurrences: mission.occurrences,
    durationDays: mission.durationDays,
    counts: mission.counts,
    repeat: mission.repeat,
    rewardIds: mission.isEndless ? [] : [mission === missions[0] ? mugs.id : rewardOf(mission.formula, one)],
    conditions: {
      ...mission.conditions,
      daysOfWeek: mission.conditions.daysOfWeek?.map((day) => ISO_DAYS[day]),
      prerequisiteMissionIds: prerequisite === undefined ? [] : [prerequisite],
    },
  });
  const drafts: Partial<Record<Campaign, object & { readonly missions: readonly object[] }>> = {};
  const versions: Record<Campaign, number> = { open: 0, claimed: 0 };
  const put = (home: Campaign, id: string, changes: object) =>
    stage.rest('PUT', `/admin/campaigns/${id}`, { version: versions[home], campaign: { ...drafts[home], ...changes } });

  /** Whether half of all accounts, by the ids of the campaign and of the account, are exactly these players. */
  async function holdsBack(campaignId: string, expected: readonly Player[]): Promise<boolean> {
    for (const who of players) {
      const digest = createHash('sha256')
        .update(`${campaignId}:${await idOf(who)}`)
        .digest();
      if (digest.readUInt32BE(0) < 2 ** 31 !== expected.includes(who)) return false;
    }
    return true;
  }

  async function newCampaign(home: Campaign, audience: string): Promise<string> {
    const own = missions.filter((mission) => mission.home === home);
    const about = {
      name: home,
      audienceIds: [audience],
      rewardIds: [rewardOf(ofCampaigns[home], five)],
      startsAt: startOf(home),
      endsAt: endOf(home),
      claimPolicy: home === 'claimed' ? 'EXPLICIT' : 'AUTOMATIC',
      ...(heldBack[home] && { controlGroupPercent: 50 }),
    };
    const create = () => admin('/admin/campaigns', { ...about, missions: own.map((each) => draftOf(each, home)) });
    let created = await create();
    while (heldBack[home] && !(await holdsBack(created.id, heldBack[home]))) {
      expect(await stage.rest('DELETE', `/admin/campaigns/${created.id}`)).toMatchObject({ status: 204 });
      created = await create();
    }
    const ids: string[] = created.missions.map(({ id }: { id: string }) => id);
    own.forEach((mission, index) => byId.set(ids[index]!, mission));
    // A prerequisite must exist before another mission can name it.
    const locked = own.map((each, index) => draftOf(each, home, each.isLocked ? ids[index - 1] : undefined));
    drafts[home] = { ...about, missions: locked.map((draft, index) => ({ ...draft, id: ids[index] })) };
    versions[home] = created.version;
    expect(await put(home, created.id, {})).toMatchObject({ status: 200 });
    await readCost(home, created.id);
    versions[home] = (await admin(`/admin/campaigns/${created.id}/activate`)).version;
    return created.id;
  }

  const ids = new Map<Player, string>();

  async function idOf(who: Player): Promise<string> {
    const id = ids.get(who) ?? (await stage.player(who).id());
    ids.set(who, id);
    return id;
  }

  const costs: Record<Campaign, Cost> = { open: { points: 0, mugs: 0 }, claimed: { points: 0, mugs: 0 } };

  async function readCost(home: Campaign, id: string): Promise<void> {
    const { cost } = (await stage.rest('GET', `/admin/campaigns/${id}/activation-preview`)).body;
    const { points, mugs: most } = costs[home];
    costs[home] = {
      points: Math.max(points, cost.unbounded.length > 0 ? Infinity : cost.pointsEach),
      mugs: Math.max(most, cost.products[0]?.unitsEach ?? 0),
    };
  }

  const campaignIds = {
    open: await newCampaign('open', isOpenByRule ? gold.id : everyone.id),
    claimed: await newCampaign('claimed', audienceId),
  };
  const alone = missions.find(({ home }) => home === 'alone')!;
  const { id: aloneId } = await admin('/admin/missions', {
    audienceId: everyone.id,
    mission: { ...draftOf(alone, 'alone'), startsAt: startOf('alone') },
  });
  byId.set(aloneId, alone);
  return {
    stage,
    missions,
    campaignIds,
    audienceId,
    aloneId,
    costs,
    missionOf: (id) => byId.get(id)!,
    idOf,
    async reschedule(home, endsAt) {
      versions[home] = (await stage.rest('GET', `/admin/campaigns/${campaignIds[home]}`)).body.version;
      const answer = await put(home, campaignIds[home], {
        endsAt: endsAt === undefined ? undefined : new Date(endsAt).toISOString(),
      });
      await readCost(home, campaignIds[home]);
      return answer;
    },
  };
}
