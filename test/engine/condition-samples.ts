// An example of each condition of missions, which the tests of all conditions use.
import { type MessageInitShape } from '@bufbuild/protobuf';
import {
  type MissionConditions,
  MissionConditions_Day as Day,
  type MissionConditionsSchema,
} from '../../gen/laurel/v1/mission_pb.ts';
import type { LimitState, MergedProgress } from '../../src/engine/assignment.ts';
import type { UncountedReason } from '../../src/engine/decision.ts';
import type { MissionConditions as RuleConditions } from '../../src/engine/missions/mission-rule.ts';
import { MONDAY, type Sent, units } from './fixtures.ts';

/** A condition by its name in the proto. */
export type Condition = Exclude<keyof MissionConditions, `$${string}`>;

/** A value of a condition, and events of which only the last is refused, for the reason. */
export type Sample<Name extends Condition = Condition> = {
  readonly value: MessageInitShape<typeof MissionConditionsSchema>[Name];
  readonly events: readonly Sent[];
  readonly reason: UncountedReason;
  /** A number has values for random games, whose amounts are from 1 to 6 and whose times are hours apart. */
  readonly random: NonNullable<MissionConditions[Name]> extends number ? readonly number[] : 'none';
};

const OTHER = '019aaf6c-8f3a-7c5e-9d2b-4a1f0e6c8b37';

/** A condition that is missing here does not compile. */
export const samples: { readonly [Name in Condition]: Sample<Name> } = {
  minAmount: {
    value: 2.5,
    events: [{ amount: units(3) }, { amount: units(2) }],
    reason: 'BELOW_MINIMUM',
    random: [1, 2, 3],
  },
  maxAmount: {
    value: 2.5,
    events: [{ amount: units(2) }, { amount: units(3) }],
    reason: 'ABOVE_MAXIMUM',
    random: [4, 5, 6],
  },
  maxPerPeriod: {
    value: 2.5,
    events: [{ amount: units(2) }, { amount: units(2) }, {}],
    reason: 'CAP_REACHED',
    random: [1, 2, 3, 4, 5, 6, 7, 8, 9],
  },
  daysOfWeek: {
    value: [Day.MONDAY],
    events: [{ at: MONDAY }, { at: '2026-06-02T12:00:00Z' }],
    reason: 'OUTSIDE_HOURS',
    random: 'none',
  },
  timeFrom: {
    value: '09:30',
    events: [{ at: '2026-06-01T09:30:00Z' }, { at: '2026-06-01T09:29:00Z' }],
    reason: 'OUTSIDE_HOURS',
    random: 'none',
  },
  timeTo: {
    value: '09:30',
    events: [{ at: '2026-06-01T09:29:00Z' }, { at: '2026-06-01T09:30:00Z' }],
    reason: 'OUTSIDE_HOURS',
    random: 'none',
  },
  expression: {
    value: 'event.amount < 2.5',
    events: [{ amount: units(2) }, { amount: units(3) }],
    reason: 'CONDITION_NOT_MET',
    random: 'none',
  },
  cooldownMinutes: {
    value: 10,
    events: [{ at: '2026-06-01T09:30:00Z' }, { at: '2026-06-01T09:40:00Z' }, { at: '2026-06-01T09:49:59Z' }],
    reason: 'COOLDOWN',
    random: [1, 45, 600],
  },
  prerequisiteMissionIds: { value: [OTHER], events: [{}], reason: 'PREREQUISITE_MISSING', random: 'none' },
};

/** An event, in hours after Monday noon; it arrives when it occurs, or is backfilled later. */
export type HourEvent = { readonly at: number; readonly amount?: number; readonly backfilledAt?: number };

/** Two accounts with events, the event after their merge, and its fate for each way of combining. */
export type MergeStory = {
  readonly title: string;
  readonly conditions: RuleConditions;
  readonly from: readonly HourEvent[];
  readonly into: readonly HourEvent[];
  readonly after: HourEvent;
  readonly expected: Readonly<Record<MergedProgress, string>>;
};

/** Stories of the state that conditions keep. A field without one does not compile. */
export const mergeStories: Readonly<Record<keyof LimitState, readonly MergeStory[]>> = {
  countedAt: [
    {
      title: 'within the cooldown of the later event',
      conditions: { cooldownMinutes: 120 },
      ...{ from: [{ at: 1 }], into: [{ at: 0 }], after: { at: 2 } },
      expected: { MAX: 'COOLDOWN', SUM: 'COOLDOWN' },
    },
    {
      title: 'after the cooldown of both',
      conditions: { cooldownMinutes: 120 },
      ...{ from: [{ at: 0 }], into: [{ at: 1 }], after: { at: 3 } },
      expected: { MAX: 'progressed', SUM: 'progressed' },
    },
    {
      title: 'within the cooldown of the only one that has events',
      conditions: { cooldownMinutes: 120 },
      ...{ from: [{ at: 1 }], into: [], after: { at: 2 } },
      expected: { MAX: 'COOLDOWN', SUM: 'COOLDOWN' },
    },
  ],
  counted: [
    {
      title: 'with room under a cap only if the sums are not added up',
      conditions: { maxPerPeriod: units(5) },
      ...{ from: [{ at: 0, amount: 2 }], into: [{ at: 1, amount: 3 }], after: { at: 2 } },
      expected: { MAX: 'progressed', SUM: 'CAP_REACHED' },
    },
    {
      title: 'without room under a cap',
      conditions: { maxPerPeriod: units(5) },
      ...{ from: [{ at: 0, amount: 5 }], into: [{ at: 1, amount: 1 }], after: { at: 2 } },
      expected: { MAX: 'CAP_REACHED', SUM: 'CAP_REACHED' },
    },
  ],
  dropped: [
    {
      // The first day's sum was dropped when the fourth began, so its rest is unknown.
      title: 'of a day whose sum one of them has dropped',
      conditions: { maxPerPeriod: units(5) },
      from: [{ at: 0 }, { at: 72 }],
      into: [{ at: 72 }],
      after: { at: 1, backfilledAt: 73 },
      expected: { MAX: 'TOO_LATE', SUM: 'TOO_LATE' },
    },
  ],
};
