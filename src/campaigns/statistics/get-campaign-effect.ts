import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import {
  CampaignEffect_Verdict,
  type CampaignEffectSchema,
  type GetCampaignEffectRequest,
  type GetCampaignEffectResponseSchema,
} from '../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { membersSql } from '../../audiences/members/members.queries.ts';
import type { Call } from '../../clients/call.ts';
import { clientZones } from '../../clients/client-zones.ts';
import { createTtlCache } from '../../clients/credentials/ttl-cache.ts';
import { compileCampaign } from '../../engine/campaign-plan.ts';
import { aggregations } from '../../engine/statistics/statistic-value.ts';
import { statisticPeriodAt } from '../../engine/statistics/statistic-period.ts';
import { badRequest } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import {
  type DefinedStatistic,
  statisticDefinitions,
} from '../../statistics/definitions/statistic-definitions.queries.ts';
import type { CampaignEntity } from '../campaigns/campaign.entity.ts';
import { requireCampaign } from '../campaigns/campaigns.queries.ts';
import { campaignRule } from '../catalog/rules.ts';
import { sumGroups } from './campaign-effect.queries.ts';
import { type GroupSums, meanOf, measuredEffect } from './measured-effect.ts';

type Effect = MessageInitShape<typeof CampaignEffectSchema>;

/** The read of the effects of campaigns; they are cached for a minute, for all operators. */
export function campaignEffects() {
  const measured = createTtlCache<Effect>({ lifetimeMs: 60_000, capacity: 1_000 });

  /** Compares the accounts of a campaign with those that it holds back: proto CampaignAdminService.GetCampaignEffect. */
  return async function getCampaignEffect(
    { db, principal: { clientId }, now }: Call,
    { id, statisticCode }: GetCampaignEffectRequest,
  ): Promise<MessageInitShape<typeof GetCampaignEffectResponseSchema>> {
    return db.unitOfWork(clientId, async (uow) => {
      const { campaign } = await requireCampaign(uow, id);
      const statistic = addedStatistic(await statisticDefinitions(uow), statisticCode);
      const key = `${clientId} ${campaign.id} ${campaign.version} ${statistic.id}`;
      return { effect: await measured.get(key, () => measure(uow, campaign, statistic, now)) };
    });
  };
}

function addedStatistic(definitions: readonly DefinedStatistic[], code: string): DefinedStatistic {
  const statistic = definitions.find((each) => each.code === code);
  if (statistic !== undefined && aggregations[statistic.aggregation].isAdded) return statistic;
  throw badRequest(sentence`'statisticCode' names no statistic of COUNT, SUM or DAYS: ${code}. Send the code of one.`);
}

async function measure(
  uow: UnitOfWork,
  campaign: CampaignEntity,
  { id: statisticId, period }: DefinedStatistic,
  now: Date,
): Promise<Effect> {
  const calendar = await clientZones(uow);
  const plan = compileCampaign(campaignRule(campaign), []);
  const begun = (campaign.startsAt ?? campaign.activatedAt ?? now).getTime();
  const [first, last] = [begun, Math.max(begun, Math.min(plan.closesAt - 1, now.getTime()))].map((instant) =>
    statisticPeriodAt(period, calendar, instant),
  );
  const values = { statisticId, first: first!.period, last: last!.period };
  const { offered, heldBack } = await sumGroups(uow, plan, await membersSql(uow, campaign.audienceIds, now), values);
  const { difference, interval, verdict } = measuredEffect(offered, heldBack);
  return {
    offered: toGroup(offered),
    heldBack: toGroup(heldBack),
    difference,
    ...interval,
    verdict: CampaignEffect_Verdict[verdict],
    since: momentOf(first!.from),
    until: momentOf(Math.min(last!.until, now.getTime())),
  };
}

function toGroup(sums: GroupSums) {
  return { accounts: sums.accounts, mean: meanOf(sums) };
}

/** Infinite for a statistic of all time. */
function momentOf(at: number) {
  return Number.isFinite(at) ? timestampFromMs(at) : undefined;
}
