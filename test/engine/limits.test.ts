import { describe, expect, test } from 'vitest';
import { mission, player, reasonOf, units } from './fixtures.ts';

const capped = mission({ target: units(100), conditions: { maxPerPeriod: units(10) } });

describe('maxPerPeriod', () => {
  test('lets through what the period has room for', () => {
    const account = player([capped]);
    expect(account.send({ amount: units(7) })).toMatchObject([{ assignment: { progress: units(7) } }]);
    expect(account.send({ amount: units(7) })).toMatchObject([{ assignment: { progress: units(10) } }]);
    expect(reasonOf(account.send({ amount: units(7) }))).toBe('CAP_REACHED');
  });

  test('is a day where the mission says nothing else, and begins again at local midnight', () => {
    const account = player([capped], [], { timeZone: 'Europe/Madrid' });
    account.send({ amount: units(10), at: '2026-06-01T21:59:00Z' });
    expect(reasonOf(account.send({ at: '2026-06-01T21:59:59Z' }))).toBe('CAP_REACHED');
    expect(reasonOf(account.send({ at: '2026-06-01T22:00:00Z' }))).toBe('progressed');
  });

  test('goes by the period of the mission', () => {
    const account = player([{ ...capped, period: 'WEEK' }]);
    account.send({ amount: units(10), at: '2026-06-01T12:00:00Z' });
    expect(reasonOf(account.send({ at: '2026-06-07T23:59:59Z' }))).toBe('CAP_REACHED');
    expect(reasonOf(account.send({ at: '2026-06-08T00:00:00Z' }))).toBe('progressed');
  });

  test('counts a late event in its own day, which may be full while today is not', () => {
    const account = player([capped]);
    account.send({ amount: units(10), at: '2026-06-01T12:00:00Z' });
    account.send({ amount: units(4), at: '2026-06-02T08:00:00Z' });
    const now = '2026-06-02T10:00:00Z';
    expect(reasonOf(account.send({ at: '2026-06-01T20:00:00Z', now }))).toBe('CAP_REACHED');
    expect(reasonOf(account.send({ amount: units(9), at: now }))).toBe('progressed');
    expect(account.assignments.get('m1')).toMatchObject({ progress: units(20) });
  });

  test('refuses what belongs to a day that it has forgotten', () => {
    const account = player([capped]);
    account.send({ at: '2026-06-09T12:00:00Z' });
    const now = '2026-06-09T12:00:00Z';
    expect(reasonOf(account.send({ at: '2026-06-07T00:00:00Z', now }))).toBe('progressed');
    expect(reasonOf(account.send({ at: '2026-06-06T23:59:59Z', now }))).toBe('TOO_LATE');
  });

  test('remembers only the days that an event may still reach', () => {
    const account = player([capped]);
    for (let day = 1; day <= 9; day += 1) account.send({ at: `2026-06-0${day}T12:00:00Z` });
    expect(account.assignments.get('m1')?.detail?.counted).toHaveLength(3);
  });

  test('holds within one period of a ROUTINE', () => {
    const routine = mission({
      type: 'ROUTINE',
      period: 'WEEK',
      target: units(5),
      conditions: { maxPerPeriod: units(5) },
    });
    const account = player([routine]);
    expect(account.send({ amount: units(9), at: '2026-06-01T12:00:00Z' })).toMatchObject([{ kind: 'completed' }]);
    expect(account.send({ amount: units(9), at: '2026-06-08T12:00:00Z' })).toMatchObject([{ kind: 'completed' }]);
  });

  test('holds in a STREAK', () => {
    const streak = mission({
      type: 'STREAK',
      target: units(3),
      perPeriodTarget: units(10),
      conditions: { maxPerPeriod: units(10) },
    });
    const account = player([streak]);
    account.send({ amount: units(4), at: '2026-06-01T12:00:00Z' });
    account.send({ amount: units(8), at: '2026-06-01T13:00:00Z' });
    expect(account.assignments.get('m1')).toMatchObject({
      progress: units(1),
      detail: { counted: [[20_605, 100_000]] },
    });
  });
});
