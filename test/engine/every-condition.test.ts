// Every condition of the proto is stored, answered and applied: none is accepted and then dropped.
import { create, toJson } from '@bufbuild/protobuf';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import {
  type MissionConditions,
  MissionConditions_Day as Day,
  MissionConditionsSchema,
} from '../../gen/laurel/v1/mission_pb.ts';
import {
  type Conditions,
  conditionsOfRule,
  storedConditions,
  toConditionsMessage,
} from '../../src/campaigns/missions/mission-conditions.ts';
import { reasonsByNearness, type UncountedReason } from '../../src/engine/decision.ts';
import { declarationOf } from '../../src/engine/missions/event-expression.ts';
import { compileConditions } from '../../src/engine/missions/conditions/conditions.ts';
import { mission, MONDAY, player, reasonOf, type Sent, units } from './fixtures.ts';

type Condition = Exclude<keyof MissionConditions, `$${string}`>;

/** A value of a condition, and events of which only the last is refused, for the reason. */
type Sample = {
  readonly value: MessageInitShape<typeof MissionConditionsSchema>[Condition];
  readonly events: readonly Sent[];
  readonly reason: UncountedReason;
};

/** Events with an amount and no attributes. */
const AMOUNTS = declarationOf('AMOUNT', [], []);

const OTHER = '019aaf6c-8f3a-7c5e-9d2b-4a1f0e6c8b37';

/** A condition that is missing here does not compile. */
const samples: Readonly<Record<Condition, Sample>> = {
  minAmount: { value: 2.5, events: [{ amount: units(3) }, { amount: units(2) }], reason: 'BELOW_MINIMUM' },
  maxAmount: { value: 2.5, events: [{ amount: units(2) }, { amount: units(3) }], reason: 'ABOVE_MAXIMUM' },
  maxPerPeriod: { value: 2.5, events: [{ amount: units(2) }, { amount: units(2) }, {}], reason: 'CAP_REACHED' },
  daysOfWeek: {
    value: [Day.MONDAY],
    events: [{ at: MONDAY }, { at: '2026-06-02T12:00:00Z' }],
    reason: 'OUTSIDE_HOURS',
  },
  timeFrom: {
    value: '09:30',
    events: [{ at: '2026-06-01T09:30:00Z' }, { at: '2026-06-01T09:29:00Z' }],
    reason: 'OUTSIDE_HOURS',
  },
  timeTo: {
    value: '09:30',
    events: [{ at: '2026-06-01T09:29:00Z' }, { at: '2026-06-01T09:30:00Z' }],
    reason: 'OUTSIDE_HOURS',
  },
  expression: {
    value: 'event.amount < 2.5',
    events: [{ amount: units(2) }, { amount: units(3) }],
    reason: 'CONDITION_NOT_MET',
  },
  cooldownMinutes: {
    value: 10,
    events: [{ at: '2026-06-01T09:30:00Z' }, { at: '2026-06-01T09:40:00Z' }, { at: '2026-06-01T09:49:59Z' }],
    reason: 'COOLDOWN',
  },
  prerequisiteMissionIds: { value: [OTHER], events: [{}], reason: 'PREREQUISITE_MISSING' },
};

const cases = Object.entries(samples) as Array<[Condition, Sample]>;

/** The stored form, as JSON gives it back. */
function stored([name, { value }]: (typeof cases)[number]): Conditions {
  const sent = create(MissionConditionsSchema, { [name]: value });
  return JSON.parse(JSON.stringify(storedConditions(sent, 'conditions'))) as Conditions;
}

describe.each(cases)('%s', (name, sample) => {
  test('is answered as it was sent', () => {
    const answered = create(MissionConditionsSchema, toConditionsMessage(stored([name, sample])));
    const sent = create(MissionConditionsSchema, { [name]: sample.value });
    expect(toJson(MissionConditionsSchema, answered)).toEqual(toJson(MissionConditionsSchema, sent));
    expect(Object.keys(stored([name, sample]))).toEqual([name]);
  });

  test('refuses an event, and no other', () => {
    const conditions = conditionsOfRule(stored([name, sample]), AMOUNTS);
    const account = player([mission({ target: units(1_000), conditions })]);
    const outcomes = sample.events.map((event) => reasonOf(account.send(event)));
    expect(outcomes).toEqual([...outcomes.slice(1).map(() => 'progressed'), sample.reason]);
  });
});

test('of several conditions that an event fails, the reason is the first of reasonsByNearness', () => {
  const all: Conditions = Object.assign({}, ...cases.map(stored));
  const { refuseByAssignments, refuseByEvent } = compileConditions(conditionsOfRule(all, AMOUNTS));
  const reasonsOf = (refusals: readonly { readonly reason: string }[]) => refusals.map(({ reason }) => reason);
  const checked = [...reasonsOf(refuseByAssignments), 'NOT_POSITIVE', ...reasonsOf(refuseByEvent)];
  expect(checked.length).toBeGreaterThanOrEqual(6);
  expect(checked).toEqual(reasonsByNearness.filter((reason) => checked.includes(reason)));
});
