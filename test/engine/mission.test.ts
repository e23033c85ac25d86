import { describe, expect, test } from 'vitest';
import { ONE } from '../../src/kernel/amount.ts';
import { derivedId } from '../../src/kernel/ids.ts';
import { mission, MONDAY, player, reasonOf, units } from './fixtures.ts';

describe('a MISSION', () => {
  test('starts with the first event and names its assignment after mission and account', () => {
    const account = player([mission()]);
    expect(account.send({ at: MONDAY })).toEqual([
      {
        kind: 'progressed',
        missionId: 'm1',
        previousProgress: 0n,
        assignment: {
          id: derivedId('m1', 'a1', ''),
          missionId: 'm1',
          accountId: 'a1',
          periodKey: '',
          progress: ONE,
          target: units(10),
          status: 'ACTIVE',
          startedAt: MONDAY,
          completedAt: undefined,
          detail: undefined,
        },
        counted: { amount: ONE, period: undefined },
      },
    ]);
  });

  test('sums amounts exactly: 0.1 and 0.2 reach 0.3', () => {
    const account = player([mission({ target: 3_000n })]);
    expect(account.send({ amount: 1_000n })).toMatchObject([{ kind: 'progressed' }]);
    expect(account.send({ amount: 2_000n })).toMatchObject([{ kind: 'completed', previousProgress: 1_000n }]);
  });

  test('completes at its target and carries its rewards', () => {
    const account = player([mission({ target: units(2), rewardIds: ['r1', 'r2'] })]);
    account.send();
    expect(account.send({ at: MONDAY, now: MONDAY + 5 })).toMatchObject([
      {
        kind: 'completed',
        previousProgress: ONE,
        rewardIds: ['r1', 'r2'],
        assignment: { progress: units(2), status: 'COMPLETED', completedAt: MONDAY + 5 },
      },
    ]);
  });

  test('does not keep what an event brings beyond the target', () => {
    const account = player([mission({ target: units(10) })]);
    expect(account.send({ amount: units(25) })).toMatchObject([
      { kind: 'completed', assignment: { progress: units(10), target: units(10) } },
    ]);
  });

  test('completes once', () => {
    const account = player([mission({ target: ONE })]);
    account.send();
    const before = account.assignments.get('m1');
    expect(reasonOf(account.send())).toBe('ALREADY_COMPLETED');
    expect(account.assignments.get('m1')).toBe(before);
  });

  test('started when the event occurred that counted first, also if an earlier one arrives late', () => {
    const account = player([mission()]);
    account.send({ at: MONDAY });
    account.send({ at: MONDAY - 500, now: MONDAY });
    account.send({ at: MONDAY + 500 });
    expect(account.assignments.get('m1')).toMatchObject({ startedAt: MONDAY, progress: units(3) });
  });

  test('ignores the events of other codes', () => {
    expect(reasonOf(player([mission()]).send({ code: 'PURCHASE' }))).toBe('NO_MISSION');
  });

  test.each([0n, -1n, units(-5)])('is not moved by an amount of %s', (amount) => {
    expect(reasonOf(player([mission()]).send({ amount }))).toBe('NOT_POSITIVE');
  });

  test('leaves the state that it was given as it was', () => {
    const account = player([mission()]);
    account.send();
    const before = account.assignments.get('m1');
    const copy = structuredClone(before);
    account.send();
    expect(before).toEqual(copy);
  });
});
