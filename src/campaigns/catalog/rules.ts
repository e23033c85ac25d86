import type { CampaignRule, MissionConditions, MissionRule } from '../../engine/missions/mission-rule.ts';
import { amountFromDecimal } from '../../kernel/amount.ts';
import type { CatalogCampaign } from './catalog.queries.ts';
import type { CatalogMission } from './client-catalog.ts';
import type { CampaignEntity } from '../campaigns/campaign.entity.ts';
import type { Conditions } from '../missions/mission-conditions.ts';

/** ISO numbers of the days, as the engine counts them. */
const ISO_DAYS = { MONDAY: 1, TUESDAY: 2, WEDNESDAY: 3, THURSDAY: 4, FRIDAY: 5, SATURDAY: 6, SUNDAY: 7 } as const;

/** What the engine needs of a mission's row. */
export function missionRule(mission: Omit<CatalogMission, 'createdAt'> & { readonly createdAt?: Date }): MissionRule {
  return {
    id: mission.id,
    campaignId: mission.campaignId ?? undefined,
    audienceId: mission.audienceId ?? undefined,
    type: mission.type,
    programmaticCode: mission.programmaticCode,
    target: mission.target,
    conditions: conditionsOf(mission.conditions as Conditions),
    period: mission.period ?? undefined,
    perPeriodTarget: mission.perPeriodTarget ?? undefined,
    gracePeriods: mission.gracePeriods,
    occurrences: mission.occurrences ?? undefined,
    startsAt: mission.startsAt?.getTime(),
    createdAt: mission.createdAt?.getTime(),
    endsAt: mission.endsAt?.getTime(),
    durationDays: mission.durationDays ?? undefined,
    position: mission.position,
    rewardIds: mission.rewardIds,
  };
}

/** What the engine needs of a campaign's row. */
export function campaignRule(campaign: Pick<CampaignEntity, keyof CatalogCampaign>): CampaignRule {
  return {
    id: campaign.id,
    status: campaign.status,
    audienceIds: campaign.audienceIds,
    claimPolicy: campaign.claimPolicy,
    rewardIds: campaign.rewardIds,
    startsAt: campaign.startsAt?.getTime(),
    activatedAt: campaign.activatedAt?.getTime(),
    endsAt: campaign.endsAt?.getTime(),
    endedAt: campaign.endedAt?.getTime(),
    pauses: campaign.pauses.map(({ from, until = Infinity }) => ({ from, until })),
  };
}

function conditionsOf(stored: Conditions): MissionConditions {
  return {
    minAmount: stored.minAmount === undefined ? undefined : amountFromDecimal(stored.minAmount),
    maxAmount: stored.maxAmount === undefined ? undefined : amountFromDecimal(stored.maxAmount),
    maxPerPeriod: stored.maxPerPeriod === undefined ? undefined : amountFromDecimal(stored.maxPerPeriod),
    daysOfWeek: stored.daysOfWeek?.map((day) => ISO_DAYS[day]),
    timeFrom: stored.timeFrom,
    timeTo: stored.timeTo,
    prerequisiteMissionIds: stored.prerequisiteMissionIds,
  };
}
