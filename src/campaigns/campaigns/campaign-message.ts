import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate, timestampFromMs } from '@bufbuild/protobuf/wkt';
import { Campaign_ClaimPolicy, Campaign_Status, type CampaignSchema } from '../../../gen/laurel/v1/campaign_pb.ts';
import {
  Mission_Counts,
  Mission_OnReversal,
  Mission_Period,
  Mission_Type,
  type MissionSchema,
} from '../../../gen/laurel/v1/mission_pb.ts';
import { ENDLESS } from '../../engine/missions/mission-rule.ts';
import { shownTarget } from '../../engine/missions/milestones.ts';
import { amountToNumber } from '../../kernel/amount.ts';
import type { CatalogMission } from '../catalog/catalog.ts';
import type { CampaignEntity } from './campaign.entity.ts';
import type { MissionEntity } from '../missions/mission.entity.ts';
import { type Conditions, toConditionsMessage } from '../missions/mission-conditions.ts';

/** A campaign and its missions as the API shows them. The missions must be sorted by position. */
export function toCampaignMessage(
  campaign: CampaignEntity,
  missions: readonly MissionEntity[],
): MessageInitShape<typeof CampaignSchema> {
  return {
    id: campaign.id,
    name: campaign.name,
    description: campaign.description,
    status: Campaign_Status[campaign.status],
    claimPolicy: Campaign_ClaimPolicy[campaign.claimPolicy],
    audienceIds: [...campaign.audienceIds],
    controlGroupPercent: campaign.controlGroupPercent ?? undefined,
    rewardIds: [...campaign.rewardIds],
    missions: missions.map(toMissionMessage),
    startsAt: moment(campaign.startsAt),
    endsAt: moment(campaign.endsAt),
    activatedAt: moment(campaign.activatedAt),
    endedAt: moment(campaign.endedAt),
    version: campaign.version,
    createdAt: moment(campaign.createdAt),
    updatedAt: moment(campaign.updatedAt),
    pauses: campaign.pauses.map(({ from, until }) => ({
      since: timestampFromMs(from),
      until: until === undefined ? undefined : timestampFromMs(until),
    })),
  };
}

/** A standalone mission as the API shows it, with the fields that a mission of a campaign takes from the campaign. */
export function toStandaloneMissionMessage(mission: MissionEntity): MessageInitShape<typeof MissionSchema> {
  const { version, createdAt, updatedAt } = mission;
  return { ...toMissionMessage(mission), version, createdAt: moment(createdAt), updatedAt: moment(updatedAt) };
}

/** A mission as the API shows it. */
export function toMissionMessage(mission: CatalogMission): MessageInitShape<typeof MissionSchema> {
  return {
    id: mission.id,
    campaignId: mission.campaignId ?? undefined,
    audienceId: mission.audienceId ?? undefined,
    type: Mission_Type[mission.type],
    name: mission.name,
    description: mission.description,
    imageUrl: mission.imageUrl ?? undefined,
    programmaticCode: mission.programmaticCode,
    target: shownTarget(mission.target),
    counts: mission.counts ? Mission_Counts[mission.counts] : undefined,
    repeat: mission.repeat ?? undefined,
    rewardIds: [...mission.rewardIds],
    conditions: toConditionsMessage(mission.conditions as Conditions),
    period: mission.period === null || mission.period === undefined ? undefined : Mission_Period[mission.period],
    perPeriodTarget: mission.perPeriodTarget == null ? undefined : amountToNumber(mission.perPeriodTarget),
    gracePeriods: mission.gracePeriods,
    endless: mission.target === ENDLESS ? true : undefined,
    milestones: mission.milestones?.map(({ rewardIds, ...milestone }) => ({ ...milestone, rewardIds: [...rewardIds] })),
    onReversal: mission.onReversal ? Mission_OnReversal[mission.onReversal] : undefined,
    occurrences: mission.occurrences ?? undefined,
    startsAt: moment(mission.startsAt),
    endsAt: moment(mission.endsAt),
    durationDays: mission.durationDays ?? undefined,
    position: mission.position,
  };
}

/** The message form of a row's time; an absent one stays absent. */
export function moment(date: Date | null | undefined): ReturnType<typeof timestampFromDate> | undefined {
  return date ? timestampFromDate(date) : undefined;
}
