import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ActivationPreview_CostSchema } from '../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { type Amount, ONE } from '../../kernel/amount.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import {
  type Most,
  mostOfRewards,
  multiplied,
  NOTHING,
  plus,
  unitsOf,
} from '../../rewards/definitions/reward-maximum.ts';
import { type Finding, finding, toFindingMessage } from './finding.ts';
import type { NamedPlan } from './mission-warnings.ts';

/** The most that one account can earn from a campaign, and the rewards that have no maximum, which are not part of it. */
export type CampaignCost = { readonly each: Most; readonly unbounded: readonly Finding[] };

/**
 * The maximum cost of a campaign for each account: its own rewards once, and those of each mission as often as one account can complete it.
 * No order of events, late or not, exceeds it.
 * @param plans the missions, each with the most times that one account can complete it
 */
export async function campaignCost(
  uow: UnitOfWork,
  rewardIds: readonly string[],
  plans: ReadonlyArray<NamedPlan & { readonly completionsMax: number }>,
): Promise<CampaignCost> {
  const parts = [
    { path: '', rewardIds, times: 1, name: '' },
    ...plans.map(({ name, plan, completionsMax }, index) => {
      return { path: `missions[${index}].`, rewardIds: plan.rewardIds, times: completionsMax, name };
    }),
  ];
  const mostOf = await mostOfRewards(
    uow,
    parts.flatMap((part) => part.rewardIds),
  );
  const unbounded: Finding[] = [];
  let each = NOTHING;
  for (const { path, rewardIds: ids, times, name } of parts) {
    if (times === Infinity && ids.length > 0) {
      const message = sentence`'${name}' repeats without an end, so its rewards have no maximum. Send repeat.max, or maxPerPeriod and an end.`;
      unbounded.push(finding(`${path}repeat.max`, message));
      continue;
    }
    for (const [index, id] of ids.entries()) {
      const most = mostOf(id);
      if (most !== undefined) each = plus(each, multiplied(most, BigInt(times)));
      else
        unbounded.push(
          finding(
            `${path}rewardIds[${index}]`,
            sentence`The chests of this reward can contain themselves, so it has no maximum. Change their entries.`,
          ),
        );
    }
  }
  return { each, unbounded };
}

/** The message of a cost. @param members the accounts that can earn it */
export function toCostMessage(
  { each, unbounded }: CampaignCost,
  members: number,
): MessageInitShape<typeof ActivationPreview_CostSchema> {
  const all = (count: bigint) => count * BigInt(members);
  return {
    pointsEach: pointsOf(each.points),
    points: pointsOf(all(each.points)),
    products: [...unitsOf(each)].map(([productId, { product, count }]) => ({
      productId,
      productName: product.name,
      unitsEach: Number(count),
      units: Number(all(count)),
    })),
    unbounded: unbounded.map(toFindingMessage),
  };
}

/** Rounded above 2^53. */
function pointsOf(amount: Amount): number {
  return Number(amount) / Number(ONE);
}
