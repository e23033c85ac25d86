import { type UncountedReason, reasonsByNearness } from '../../decision.ts';
import type { GameEvent } from '../../game-event.ts';
import type { ConditionsPlan, RefusalRule } from '../mission-plan.ts';
import type { MissionConditions } from '../mission-rule.ts';
import { maxAmount, minAmount } from './amounts.ts';
import { cap } from './cap.ts';
import type { Condition, DefinitionCheck, FormsOf, Refusals } from './condition.ts';
import { cooldown } from './cooldown.ts';
import { expression } from './expression.ts';
import { hours, openingHours } from './hours.ts';
import { prerequisites } from './prerequisites.ts';

/** Every condition, in the order of limits, locks and warnings. A condition without rules does not compile. */
const conditionRules: { readonly [Name in keyof MissionConditions]-?: Condition<Name> } = {
  prerequisiteMissionIds: prerequisites,
  minAmount,
  maxAmount,
  expression,
  cooldownMinutes: cooldown,
  daysOfWeek: hours,
  timeFrom: hours,
  timeTo: hours,
  maxPerPeriod: cap,
};

/** The form of each condition. */
export const conditionForms: FormsOf<keyof MissionConditions> = Object.assign(
  {},
  ...Object.values(conditionRules).map(({ forms }) => forms),
);

/** The checks of a mission's conditions. */
export const conditionChecks: ReadonlySet<DefinitionCheck> = new Set(
  Object.values(conditionRules).flatMap(({ checks }) => checks),
);

/** The plan of a mission's conditions. */
export function compileConditions(conditions: MissionConditions = {}): ConditionsPlan {
  const names = Object.keys(conditionRules) as (keyof MissionConditions)[];
  const rules = [...new Set(names.filter((name) => isSet(conditions[name])).map((name) => conditionRules[name]))];
  const applied = rules.map(({ apply }) => apply(conditions));
  return {
    refuseByAssignments: inOrder(applied.flatMap((each) => (each.by === 'assignments' ? [each.refusals] : []))),
    refuseByEvent: inOrder(applied.flatMap((each) => (each.by === 'event' ? [each.refusals] : []))),
    refuseByProgress: inOrder(applied.flatMap((each) => (each.by === 'progress' ? [each.refusals] : []))),
    limits: applied.flatMap((each) => (each.by === 'state' ? [each.limit] : [])),
    states: rules.flatMap(({ state }) => (state === 'none' ? [] : [state])),
    locks: rules.flatMap(({ lock }) => (lock === 'none' ? [] : [lock(conditions)])),
    reach: rules.flatMap(({ reach }) => (reach === 'none' ? [] : [reach])),
    bounds: rules.flatMap(({ bound }) => (bound === 'none' ? [] : [bound])),
    conditions,
    hours: openingHours(conditions),
    prerequisites: conditions.prerequisiteMissionIds ?? [],
  };
}

function inOrder<Account>(all: readonly Refusals<Account>[]): RefusalRule<Account>[] {
  return reasonsByNearness.flatMap((reason) =>
    all.flatMap(({ [reason]: refuses }) => (refuses === undefined ? [] : [{ reason, refuses }])),
  );
}

function isSet(value: MissionConditions[keyof MissionConditions]): boolean {
  return value !== undefined && !(Array.isArray(value) && value.length === 0);
}

/** The first reason for which one of `refusals` refuses an event. */
export function firstRefusal<Account>(
  refusals: readonly RefusalRule<Account>[],
  event: GameEvent,
  account: Account,
): UncountedReason | undefined {
  for (const { reason, refuses } of refusals) {
    const refused = refuses(event, account);
    if (refused !== false) return refused === true ? reason : refused;
  }
  return undefined;
}
