import type { Account } from '../../accounts/account.ts';
import type { AccountFreezes } from '../../engine/freezes/freeze-ledger.ts';
import type { MissionReversal } from '../../engine/missions/reverse.ts';
import type { StatisticEffect } from '../../engine/statistics/statistic-value.ts';
import type { Amount } from '../../kernel/amount.ts';
import type { ReversedReward } from '../../rewards/reversal/reverse-rewards.ts';
import type { AppliedEvent } from './find-events.ts';
import type { Reversal } from './reversal.ts';
import type { CountedForMission } from './reverse-event.ts';

/** An applied event to take back, with its locked account and what it counted for missions. */
export type PlannedReversal = {
  /** The index of the reversal in its batch. */
  readonly index: number;
  readonly reversal: Reversal;
  readonly event: AppliedEvent;
  readonly account: Account;
  readonly counted: readonly CountedForMission[];
};

/** The reversal of an applied event, before its rewards are taken. */
export type DecidedReversal = PlannedReversal & {
  /** The amount that is taken back. */
  readonly amount: Amount;
  /** The amount that is left of the event. */
  readonly left: Amount;
  readonly missions: readonly MissionReversal[];
  /** The freezes of the account after it; undefined for an account without any. */
  readonly freezes: AccountFreezes | undefined;
  /** The statistics that fall, with negative amounts. */
  readonly statistics: readonly StatisticEffect[];
  /** Campaigns that are open again, each with whether its rewards were delivered. */
  readonly reopened: ReadonlyArray<{ readonly campaignId: string; readonly wasClosed: boolean }>;
};

/** The reversal of an applied event, with everything that it did. */
export type DoneReversal = DecidedReversal & { readonly rewards: readonly ReversedReward[] };
