import type { Trigger } from '../../gen/laurel/v1/trigger_pb.ts';
import type { EmitTriggerResponse } from '../../gen/laurel/v1/trigger_service_pb.ts';
import type { Account } from '../accounts/account.ts';
import type { Decision } from '../engine/decision.ts';
import type { GameEvent } from '../engine/game-event.ts';
import type { Refusal } from '../journal/journal-row.ts';
import type { OperationClaim } from '../idempotency/claim.ts';
import type { OrderOutcome } from '../rewards/delivery/delivery.ts';

/** A trigger of a batch as it came. Each step of the batch adds to it what the step finds out. */
export type ArrivedTrigger = {
  readonly trigger: Trigger;
  /** Undefined: it came without an operation id. */
  readonly claim: OperationClaim | undefined;
  /** The moment by which its `occurredAt` is judged. */
  readonly acceptedAt: Date;
};

/** A trigger whose operation id has had no effect yet. */
export type ClaimedTrigger = ArrivedTrigger & {
  /** Whether its operation id was used for another operation. */
  readonly isShared: boolean;
};

/** A trigger that the catalogue knows, as the rules read it. */
export type ParsedTrigger = ClaimedTrigger & { readonly event: GameEvent };

/** A trigger whose account is known and locked. */
export type ResolvedTrigger = ParsedTrigger & { readonly account: Account };

/** A trigger and what the rules conclude from it. */
export type DecidedTrigger = ResolvedTrigger & {
  readonly decisions: readonly Decision[];
  /** Of missions that the event was not even applied to, the refusal that came nearest to counting. */
  readonly refused?: Refusal | undefined;
};

/** A trigger and what it has earned. */
export type RewardedTrigger = DecidedTrigger & {
  readonly outcomes: readonly OrderOutcome[];
  /** The campaigns that its account has completed by it for the first time, in the order of the decisions. */
  readonly completedCampaignIds: readonly string[];
};

/** A trigger and its answer. */
export type AnsweredTrigger = RewardedTrigger & { readonly response: EmitTriggerResponse };
