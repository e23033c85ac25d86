// Every condition of the proto is stored, answered and applied: none is accepted and then dropped.
import { create, toJson } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { MissionConditionsSchema } from '../../gen/laurel/v1/mission_pb.ts';
import {
  type Conditions,
  conditionsOfRule,
  storedConditions,
  toConditionsMessage,
} from '../../src/campaigns/missions/mission-conditions.ts';
import { reasonsByNearness } from '../../src/engine/decision.ts';
import { declarationOf } from '../../src/engine/missions/event-expression.ts';
import { compileConditions } from '../../src/engine/missions/conditions/conditions.ts';
import { type Condition, type Sample, samples } from './condition-samples.ts';
import { mission, player, reasonOf, units } from './fixtures.ts';

/** Events with an amount and no attributes. */
const AMOUNTS = declarationOf('AMOUNT', [], []);

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
