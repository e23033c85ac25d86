import { Backfill_RewardsSchema, type Backfill_Rewards } from '../../../gen/laurel/v1/trigger_pb.ts';
import { enumName } from '../../kernel/enum-names.ts';
import type { BackfillRewards } from './backfill-rewards.ts';

/** How events are backfilled. */
export type Backfill = {
  /** The most days that `occurredAt` may be ago. */
  readonly daysMax: number;
  readonly rewards: BackfillRewards;
};

/** The rewards that a request names; NONE by default. */
export function backfillRewardsOf(rewards: Backfill_Rewards | undefined): BackfillRewards {
  return enumName(Backfill_RewardsSchema, rewards ?? 0) ?? 'NONE';
}
