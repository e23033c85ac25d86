import type { Amount } from '../../../kernel/amount.ts';
import type { Sentence } from '../../../kernel/sentence.ts';
import type { AccountContext } from '../../account-context.ts';
import type { ConditionStates } from '../../assignment.ts';
import type { UncountedReason } from '../../decision.ts';
import type { EventType } from '../../game-event.ts';
import type { EventExpression } from '../event-expression.ts';
import type { LockRule } from '../locks.ts';
import type {
  AccountWithoutAssignments,
  BoundRule,
  JudgedProgress,
  LimitRule,
  ReachRule,
  RefusalRule,
  StateRules,
} from '../mission-plan.ts';
import type { MissionConditions, MissionRule } from '../mission-rule.ts';

/** A check of a definition. Its sentence says how to correct the request. */
export type DefinitionCheck = (rule: MissionRule, eventType: EventType) => Sentence | false;

/** The test of an event for each reason for which a condition refuses events. */
export type Refusals<Account> = Readonly<Partial<Record<UncountedReason, RefusalRule<Account>['refuses']>>>;

/** The tests of events under one condition, by the data that they read: a name before includes less than one after it. */
export type Applied =
  /** The event and the account's calendar. */
  | { readonly by: 'event'; readonly refusals: Refusals<AccountWithoutAssignments> }
  /** The account's assignments as well. */
  | { readonly by: 'assignments'; readonly refusals: Refusals<AccountContext> }
  /** The mission's progress before the event. */
  | { readonly by: 'progress'; readonly refusals: Refusals<JudgedProgress> }
  /** The state that the condition keeps between events. */
  | { readonly by: 'state'; readonly limit: LimitRule };

/** The form of a value, which decides how it is sent and stored: `src/campaigns/missions/mission-conditions.ts` has its conversions. */
type FormOf<Value> = Value extends Amount
  ? 'amount'
  : Value extends number
    ? 'number'
    : Value extends string
      ? 'text'
      : Value extends EventExpression
        ? 'expression'
        : Value extends readonly number[]
          ? 'days'
          : Value extends readonly string[]
            ? 'ids'
            : never;

/** The forms of conditions by their names in the proto. */
export type FormsOf<Name extends keyof MissionConditions> = {
  readonly [Each in Name]: FormOf<NonNullable<MissionConditions[Each]>>;
};

/** The rules of one condition of the proto. Every entry is required, so that no condition lacks one. */
export type Condition<Name extends keyof MissionConditions> = {
  /** The forms of its values. */
  readonly forms: FormsOf<Name>;
  /** The tests of events under a mission's conditions, made once for a definition. */
  readonly apply: (conditions: MissionConditions) => Applied;
  /** The merge and the reversal of the state that the condition keeps, if it keeps any. */
  readonly state: Name extends keyof ConditionStates ? StateRules<ConditionStates[Name]> : 'none';
  /** The lock that feed items show while events are refused. */
  readonly lock: ((conditions: MissionConditions) => LockRule) | 'none';
  /** The warning of an activation if events can never count. */
  readonly reach: ReachRule | 'none';
  /** The most that an account can count under the condition. */
  readonly bound: BoundRule | 'none';
  /** Checks of a definition with the condition. The first sentence refuses the request. */
  readonly checks: readonly DefinitionCheck[];
};
