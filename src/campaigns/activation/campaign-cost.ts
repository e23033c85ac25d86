import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ActivationPreview_CostSchema } from '../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { type EventDeclaration, MISSION_PROGRESS } from '../../engine/missions/event-expression.ts';
import type { MissionPlan } from '../../engine/missions/mission-plan.ts';
import { decimalOfAmount, decimalOfNumber, floor } from '../../expressions/decimal.ts';
import { type Range, upperBound } from '../../expressions/upper-bound.ts';
import { type Amount, AMOUNT_MAX, ONE } from '../../kernel/amount.ts';
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
import type { RewardDefinition } from '../../rewards/definitions/reward-definition.ts';
import { type Finding, finding, toFindingMessage } from './finding.ts';
import type { NamedPlan } from './mission-warnings.ts';

/** A mission's plan, the events that it counts, and the most times that one account can complete it; `Infinity` without a limit. */
export type BoundedPlan = NamedPlan & {
  readonly events: EventDeclaration | undefined;
  readonly completionsMax: number;
};

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
  plans: readonly BoundedPlan[],
): Promise<CampaignCost> {
  const parts = [
    { path: '', rewardIds, times: 1, name: '', pointsMax: undefined },
    ...plans.map((mission, index) => ({
      path: `missions[${index}].`,
      rewardIds: mission.plan.rewardIds,
      times: mission.completionsMax,
      name: mission.name,
      pointsMax: (reward: RewardDefinition) => pointsMax(reward, mission),
    })),
  ];
  const mostOf = await mostOfRewards(
    uow,
    parts.flatMap((part) => part.rewardIds),
  );
  const unbounded: Finding[] = [];
  let each = NOTHING;
  for (const { path, rewardIds: ids, times, name, pointsMax: ofMission } of parts) {
    if (times === Infinity && ids.length > 0) {
      const message = sentence`'${name}' repeats without an end, so its rewards have no maximum. Send repeat.max, or maxPerPeriod and an end.`;
      unbounded.push(finding(`${path}repeat.max`, message));
      continue;
    }
    for (const [index, id] of ids.entries()) {
      const most = mostOf(id, ofMission);
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

/** The most points of a mission's reward: `amountMax`, or less by the bounds of the event's amount and attributes. */
function pointsMax({ amount, amountExpression }: RewardDefinition, { plan, events }: BoundedPlan): Amount {
  if (amountExpression === undefined) return amount;
  const bound = upperBound(amountExpression, (name) => rangeOf(name, plan, events));
  if (bound === undefined) return amount;
  const points = floor(bound).coefficient * ONE;
  return points <= 0n ? 0n : points < amount ? points : amount;
}

/** The values of a name in events that count. Those of an account may be older than its declaration, so they have no known range. */
function rangeOf(name: string, { conditions, target }: MissionPlan, events: EventDeclaration | undefined): Range {
  if (name === MISSION_PROGRESS) return { min: decimalOfAmount(0n), max: decimalOfAmount(target) };
  if (name === 'event.amount') {
    return {
      min: decimalOfAmount(conditions.minAmount ?? 0n),
      max: decimalOfAmount(conditions.maxAmount ?? BigInt(AMOUNT_MAX) * ONE),
    };
  }
  const { min, max } = events?.attributes.find((attribute) => name === `event.${attribute.name}`) ?? {};
  return {
    min: min === undefined ? undefined : decimalOfNumber(min),
    max: max === undefined ? undefined : decimalOfNumber(max),
  };
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
