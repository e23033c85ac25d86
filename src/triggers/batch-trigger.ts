import type { Trigger } from '../../gen/laurel/v1/trigger_pb.ts';
import type { EmitTriggerResponse } from '../../gen/laurel/v1/trigger_service_pb.ts';
import type { Account } from '../accounts/account.ts';
import type { AccountContext } from '../engine/account-context.ts';
import type { DecidedLevels } from '../engine/levels/account-levels.ts';
import type { Decision } from '../engine/decision.ts';
import type { StatisticEffect } from '../engine/statistics/statistic-value.ts';
import type { GameEvent } from '../engine/game-event.ts';
import type { UncountedCause } from '../journal/journal-row.ts';
import type { OperationClaim } from '../idempotency/claim.ts';
import type { OrderOutcome } from '../rewards/delivery/earned-reward.ts';

/** A trigger of a batch on arrival. Each step of the batch adds its result. */
export type ArrivedTrigger = {
  readonly trigger: Trigger;
  /** Undefined without an operation id. */
  readonly claim: OperationClaim | undefined;
  /** The time against which `occurredAt` is checked. */
  readonly acceptedAt: Date;
};

/** A trigger whose operation id has had no effect yet. */
export type ClaimedTrigger = ArrivedTrigger & {
  /** Whether its operation may be stored under a second-use key. */
  readonly mayBeSecondUse: boolean;
};

/** A trigger of a known code, in the form that the rules read. */
export type ParsedTrigger = ClaimedTrigger & { readonly event: GameEvent };

/** A trigger whose account is known and locked. */
export type ResolvedTrigger = ParsedTrigger & { readonly account: Account };

/** A trigger with the decisions of the rules. */
export type DecidedTrigger = ResolvedTrigger & {
  /** The account as the rules saw it, with the decisions of the batch. */
  readonly context: AccountContext;
  /** The account after the event, which the points of its rewards move on. */
  readonly after: AccountContext;
  readonly decisions: readonly Decision[];
  /** The statistics that the event moves; undefined if none counts its code. */
  readonly statistics?: readonly StatisticEffect[] | undefined;
  /** The levels of its account after the event. */
  readonly levels: DecidedLevels;
  /** The cause nearest to counting, among the missions to which the event was not applied. */
  readonly refused?: UncountedCause | undefined;
};

/** The part of a decided event, or of a merge of accounts, that its rewards depend on. */
export type Rewardable = Pick<DecidedTrigger, 'account' | 'context' | 'decisions' | 'event'> & {
  /** The levels that an event moved. */
  readonly levels?: DecidedLevels | undefined;
  readonly claim: Pick<OperationClaim, 'operationId'> | undefined;
};

/** The rewards of decisions. */
export type Rewarded = {
  readonly outcomes: readonly OrderOutcome[];
  /** The campaigns that the account completed for the first time, in the order of the decisions. */
  readonly completedCampaignIds: readonly string[];
};

/** A trigger with its rewards. */
export type RewardedTrigger = DecidedTrigger & Rewarded;

/** A trigger with its answer. */
export type AnsweredTrigger = RewardedTrigger & { readonly response: EmitTriggerResponse };
