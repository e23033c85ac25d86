import { describe, expect, test } from 'vitest';
import { derivedId } from '../../src/kernel/ids.ts';
import { instant, mission, player, reasonOf, units } from './fixtures.ts';

const daily = mission({ type: 'ROUTINE', target: units(2) });

describe('a ROUTINE', () => {
  test('is a fresh assignment in every period', () => {
    const account = player([daily]);
    account.send({ at: '2026-06-01T12:00:00Z' });
    expect(account.send({ at: '2026-06-02T12:00:00Z' })).toMatchObject([
      {
        kind: 'progressed',
        previousProgress: 0n,
        assignment: { id: derivedId('m1', 'a1', '2026-06-02'), periodKey: '2026-06-02', progress: units(1) },
      },
    ]);
  });

  test('completes each period once, each time with its rewards', () => {
    const account = player([daily]);
    for (const date of ['2026-06-01', '2026-06-02']) {
      account.send({ at: `${date}T12:00:00Z` });
      expect(account.send({ at: `${date}T13:00:00Z` })).toMatchObject([{ kind: 'completed', rewardIds: ['r1'] }]);
      expect(reasonOf(account.send({ at: `${date}T14:00:00Z` }))).toBe('ALREADY_COMPLETED');
    }
  });

  test('puts a late event into the period in which it occurred', () => {
    const account = player([daily]);
    account.send({ at: '2026-06-01T12:00:00Z' });
    account.send({ at: '2026-06-02T09:00:00Z' });
    const late = account.send({ at: '2026-06-01T23:00:00Z', now: '2026-06-02T10:00:00Z' });
    expect(late).toMatchObject([{ kind: 'completed', assignment: { periodKey: '2026-06-01' } }]);
  });

  test.each([
    ['WEEK', '2026-W23'],
    ['MONTH', '2026-06'],
  ] as const)('by %s has the key %s', (period, key) => {
    const account = player([{ ...daily, period }]);
    expect(account.send({ at: '2026-06-01T12:00:00Z' })).toMatchObject([{ assignment: { periodKey: key } }]);
  });

  test('goes by the calendar of the account', () => {
    const account = player([daily], [], { timeZone: 'America/Santiago' });
    expect(account.send({ at: '2026-09-06T03:59:59Z' })).toMatchObject([{ assignment: { periodKey: '2026-09-05' } }]);
    expect(account.send({ at: '2026-09-06T04:00:00Z' })).toMatchObject([{ assignment: { periodKey: '2026-09-06' } }]);
  });

  test('without occurrences never ends', () => {
    const account = player([{ ...daily, target: units(1) }]);
    for (let day = 0; day < 100; day += 1) {
      const at = instant('2026-06-01T12:00:00Z') + day * 86_400_000;
      expect(account.send({ at })).toMatchObject([{ kind: 'completed' }]);
    }
    expect(account.assignments.has('m1')).toBe(false);
  });
});

describe('occurrences', () => {
  const twice = { ...daily, target: units(1), occurrences: 2 };

  test('are counted in the assignment of the routine as a whole', () => {
    const account = player([twice]);
    expect(account.send({ at: '2026-06-01T12:00:00Z' })).toMatchObject([
      { kind: 'completed', assignment: { periodKey: '2026-06-01' } },
      {
        kind: 'occurrenceCounted',
        assignment: {
          id: derivedId('m1', 'a1', ''),
          periodKey: '',
          progress: units(1),
          target: units(2),
          status: 'ACTIVE',
          startedAt: instant('2026-06-01T12:00:00Z'),
          completedAt: undefined,
        },
      },
    ]);
  });

  test('began when the event occurred that completed the first of them, also if an earlier one arrives late', () => {
    const account = player([{ ...twice, occurrences: 3 }]);
    account.send({ at: '2026-06-02T12:00:00Z' });
    account.send({ at: '2026-06-01T20:00:00Z', now: '2026-06-02T12:30:00Z' });
    expect(account.assignments.get('m1')).toMatchObject({
      progress: units(2),
      startedAt: instant('2026-06-02T12:00:00Z'),
    });
  });

  test('complete the routine, which then asks for nothing more', () => {
    const account = player([twice]);
    account.send({ at: '2026-06-01T12:00:00Z' });
    expect(account.send({ at: '2026-06-05T12:00:00Z' })).toMatchObject([
      { kind: 'completed' },
      {
        kind: 'occurrenceCounted',
        assignment: { progress: units(2), status: 'COMPLETED', completedAt: instant('2026-06-05T12:00:00Z') },
      },
    ]);
    expect(reasonOf(account.send({ at: '2026-06-06T12:00:00Z' }))).toBe('ALREADY_COMPLETED');
  });

  test('are periods: unfinished ones do not count', () => {
    const account = player([{ ...twice, target: units(2) }]);
    account.send({ at: '2026-06-01T12:00:00Z' });
    account.send({ at: '2026-06-02T12:00:00Z' });
    expect(account.assignments.has('m1')).toBe(false);
  });
});
