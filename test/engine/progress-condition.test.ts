import { expect, test } from 'vitest';
import { declarationOf, type EventExpression, storedExpression } from '../../src/engine/missions/event-expression.ts';
import { amountToNumber } from '../../src/kernel/amount.ts';
import { MONDAY, mission, player, reasonOf, units } from './fixtures.ts';

const expression = (text: string): EventExpression =>
  storedExpression(text, declarationOf('AMOUNT', [], []), 'BOOLEAN');

const DAY = 86_400_000;

test('a condition with the progress is judged after the other conditions of the event', () => {
  const conditions = { minAmount: units(2), expression: expression('mission.progress == 100') };
  const ada = player([mission({ conditions })]);
  expect(reasonOf(ada.send({ amount: units(1) }))).toBe('BELOW_MINIMUM');
  expect(reasonOf(ada.send({ amount: units(2) }))).toBe('CONDITION_NOT_MET');
});

test('an event that it refuses has the progress that was judged, and other events have none', () => {
  const ada = player([mission({ conditions: { expression: expression('mission.progress < 3') } })]);
  ada.send({ amount: units(4) });
  expect(ada.send()).toEqual([
    { kind: 'uncounted', missionId: 'm1', reason: 'CONDITION_NOT_MET', previousProgress: units(4) },
  ]);
  const bob = player([mission({ conditions: { expression: expression('event.amount < 3') } })]);
  expect(bob.send({ amount: units(4) })).toEqual([{ kind: 'uncounted', missionId: 'm1', reason: 'CONDITION_NOT_MET' }]);
});

test('the progress is that of the present round', () => {
  const conditions = { expression: expression('mission.progress < 2') };
  const ada = player([mission({ target: units(3), repeat: {}, conditions })]);
  const progress = (amount: number) => {
    const [decision] = ada.send({ amount: units(amount) });
    return decision?.kind === 'uncounted'
      ? decision.reason
      : decision && 'assignment' in decision && amountToNumber(decision.assignment.progress);
  };
  expect([progress(1), progress(3), progress(4), progress(1)]).toEqual([1, 1, 2, 'CONDITION_NOT_MET']);
});

test('the progress of a STREAK is its run when the event is applied, which a missed day ends', () => {
  const conditions = { expression: expression('mission.progress == 0') };
  const ada = player([mission({ type: 'STREAK', target: units(5), conditions })]);
  expect(reasonOf(ada.send())).toBe('progressed');
  expect(reasonOf(ada.send({ at: MONDAY + DAY }))).toBe('CONDITION_NOT_MET');
  expect(reasonOf(ada.send({ at: MONDAY + 3 * DAY }))).toBe('progressed');
});
