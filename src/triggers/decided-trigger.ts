import type { Trigger } from '../../gen/laurel/v1/trigger_pb.ts';
import type { Account } from '../accounts/account.ts';
import type { Decision } from '../engine/decision.ts';
import type { GameEvent } from '../engine/game-event.ts';
import type { Refusal } from '../journal/journal-row.ts';
import type { Claim } from '../idempotency/claim.ts';

/** A trigger of a batch that was read, and whose effects are being worked out. */
export type ParsedTrigger = {
  /** Its position in the batch. */
  readonly place: number;
  readonly trigger: Trigger;
  /** Undefined: it came without an operation id. */
  readonly claim: Claim | undefined;
  readonly event: GameEvent;
};

/** A trigger whose account is known and locked. */
export type ResolvedTrigger = ParsedTrigger & { readonly account: Account };

/** A trigger and what the rules conclude from it. */
export type DecidedTrigger = ResolvedTrigger & {
  readonly decisions: readonly Decision[];
  /** Of missions that the event was not even applied to, the refusal that came nearest to counting. */
  readonly refused?: Refusal | undefined;
};
