import { type CampaignRule, ENDLESS, type MissionRule } from '../../engine/missions/mission-rule.ts';
import type { CatalogCampaign } from './catalog.queries.ts';
import type { CatalogMission } from './client-catalog.ts';
import type { CampaignEntity } from '../campaigns/campaign.entity.ts';
import type { EventDeclarations } from '../event-definitions/event-definitions.queries.ts';
import { type Conditions, conditionsOfRule } from '../missions/mission-conditions.ts';

/** The engine's rule of a mission row. @param events the declarations of the client's events */
export function missionRule(
  mission: Omit<CatalogMission, 'createdAt'> & { readonly createdAt?: Date },
  events: EventDeclarations,
): MissionRule {
  return {
    id: mission.id,
    campaignId: mission.campaignId ?? undefined,
    audienceId: mission.audienceId ?? undefined,
    type: mission.type,
    programmaticCode: mission.programmaticCode,
    target: mission.target,
    counts: mission.counts ?? undefined,
    repeat: mission.repeat ?? undefined,
    conditions: conditionsOfRule(mission.conditions as Conditions, events.get(mission.programmaticCode)),
    period: mission.period ?? undefined,
    perPeriodTarget: mission.perPeriodTarget ?? undefined,
    gracePeriods: mission.gracePeriods,
    endless: mission.target === ENDLESS ? true : undefined,
    milestones: mission.milestones ?? undefined,
    onReversal: mission.onReversal ?? undefined,
    occurrences: mission.occurrences ?? undefined,
    startsAt: mission.startsAt?.getTime(),
    createdAt: mission.createdAt?.getTime(),
    endsAt: mission.endsAt?.getTime(),
    durationDays: mission.durationDays ?? undefined,
    position: mission.position,
    rewardIds: mission.rewardIds,
  };
}

/** The engine's rule of a campaign row. */
export function campaignRule(campaign: Pick<CampaignEntity, keyof CatalogCampaign>): CampaignRule {
  return {
    id: campaign.id,
    status: campaign.status,
    audienceIds: campaign.audienceIds,
    controlGroupPercent: campaign.controlGroupPercent ?? undefined,
    claimPolicy: campaign.claimPolicy,
    rewardIds: campaign.rewardIds,
    startsAt: campaign.startsAt?.getTime(),
    activatedAt: campaign.activatedAt?.getTime(),
    endsAt: campaign.endsAt?.getTime(),
    endedAt: campaign.endedAt?.getTime(),
    pauses: campaign.pauses.map(({ from, until = Infinity }) => ({ from, until })),
  };
}
