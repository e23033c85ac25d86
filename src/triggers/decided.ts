import type { Trigger } from '../../gen/laurel/v1/trigger_pb.ts';
import type { Account } from '../accounts/account.ts';
import type { Decision } from '../engine/decision.ts';
import type { GameEvent } from '../engine/game-event.ts';
import type { Claim } from '../operations/claim.ts';

/** A trigger whose effects are being worked out. */
export type Pending = {
  /** Its position in the batch. */
  readonly place: number;
  readonly trigger: Trigger;
  /** Undefined: it came without an operation id. */
  readonly claim: Claim | undefined;
  readonly event: GameEvent;
};

/** A trigger whose account is known and locked. */
export type Placed = Pending & { readonly account: Account };

/** A trigger and what the rules conclude from it. */
export type Decided = Placed & { readonly decisions: readonly Decision[] };
