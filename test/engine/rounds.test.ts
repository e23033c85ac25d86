import { describe, expect, test } from 'vitest';
import type { MissionRule } from '../../src/engine/missions/mission-rule.ts';
import { campaign, mission, MONDAY, player, type Player, reasonOf, units } from './fixtures.ts';

/** A mission for every 100, in an active campaign. */
function everyHundred(changes: Partial<MissionRule> = {}): Player {
  return player([mission({ target: units(100), repeat: {}, campaignId: 'c1', ...changes })], [campaign()]);
}

const stateOf = (account: Player) => account.assignments.get('m1');

describe('a mission that repeats', () => {
  test('completes a round at each multiple of its target and goes on with the surplus', () => {
    const account = everyHundred();
    expect(account.send({ amount: units(60) })).toMatchObject([{ kind: 'progressed' }]);
    expect(account.send({ amount: units(50) })).toMatchObject([
      { kind: 'completed', rounds: 1, previousProgress: units(60), rewardIds: ['r1'] },
      { kind: 'campaignClosed' },
    ]);
    expect(stateOf(account)).toMatchObject({ status: 'ACTIVE', progress: units(10), detail: { completions: 1 } });
    expect(account.send({ amount: units(250) })).toMatchObject([{ kind: 'completed', rounds: 2 }]);
    expect(stateOf(account)).toMatchObject({ status: 'ACTIVE', progress: units(60), detail: { completions: 3 } });
  });

  test('is over after its last round, and counts nothing beyond it', () => {
    const account = everyHundred({ repeat: { max: 3 } });
    expect(account.send({ amount: units(950) })).toMatchObject([{ kind: 'completed', rounds: 3 }, {}]);
    expect(stateOf(account)).toMatchObject({ status: 'COMPLETED', progress: units(100), detail: { completions: 3 } });
    expect(reasonOf(account.send({ amount: units(100) }))).toBe('ALREADY_COMPLETED');
  });

  test('has at most a billion rounds, however small its target', () => {
    const account = everyHundred({ target: 1n });
    expect(account.send({ amount: units(1_000_000_000) })).toMatchObject([{ rounds: 1_000_000_000 }, {}]);
    expect(stateOf(account)).toMatchObject({ status: 'COMPLETED', detail: { completions: 1_000_000_000 } });
  });

  test('closes its campaign with its first round, once', () => {
    const account = everyHundred();
    const kinds = Array.from({ length: 3 }, () => account.send({ amount: units(100) }).map(({ kind }) => kind));
    expect(kinds).toEqual([['completed', 'campaignClosed'], ['completed'], ['completed']]);
  });

  test('unlocks another mission from its first round on, for events that are not earlier than that', () => {
    const locked = mission({ id: 'm2', conditions: { prerequisiteMissionIds: ['m1'] }, repeat: {} });
    const account = player([mission({ target: units(2), repeat: {} }), locked]);
    account.send({ at: MONDAY });
    expect(account.send({ at: MONDAY + 10 })).toMatchObject([{ rounds: 1 }, { reason: 'PREREQUISITE_MISSING' }]);
    expect(account.send({ at: MONDAY + 5, now: MONDAY + 20 })).toMatchObject([
      { kind: 'progressed' },
      { reason: 'BEFORE_PREREQUISITE' },
    ]);
    // A later round moves neither the prerequisite nor its time.
    expect(account.send({ at: MONDAY + 30 })).toMatchObject([{ rounds: 1 }, { kind: 'progressed' }]);
    expect(account.send({ at: MONDAY + 10, now: MONDAY + 40 })).toMatchObject([{}, { kind: 'progressed' }]);
  });

  test('shows its latest round as completed, and the time of the first unlocking', () => {
    const account = everyHundred();
    account.send({ amount: units(100), at: MONDAY, now: MONDAY + 1 });
    account.send({ amount: units(100), at: MONDAY + 2, now: MONDAY + 3 });
    expect(stateOf(account)).toMatchObject({ completedAt: MONDAY + 3, completionOccurredAt: MONDAY });
  });

  test('counts its duration once, from the first event', () => {
    const account = everyHundred({ type: 'CHALLENGE', durationDays: 1 });
    account.send({ amount: units(150), at: MONDAY });
    expect(reasonOf(account.send({ amount: units(50), at: MONDAY + 86_400_000 }))).toBe('EXPIRED');
    expect(account.send({ amount: units(50), at: MONDAY + 86_399_999 })).toMatchObject([{ rounds: 1 }]);
  });

  test('keeps its cap over all rounds of a period', () => {
    const account = everyHundred({ conditions: { maxPerPeriod: units(150) } });
    expect(account.send({ amount: units(140) })).toMatchObject([{ rounds: 1 }, {}]);
    account.send({ amount: units(140) });
    expect(stateOf(account)).toMatchObject({ progress: units(50), detail: { completions: 1 } });
    expect(reasonOf(account.send({ amount: units(1) }))).toBe('CAP_REACHED');
  });
});

describe('a mission that counts events', () => {
  test('takes each event as one, whatever its amount', () => {
    const account = player([mission({ target: units(2), counts: 'EVENTS' })]);
    account.send({ amount: units(70) });
    expect(account.assignments.get('m1')).toMatchObject({ progress: units(1) });
    expect(account.send({ amount: 1n })).toMatchObject([{ kind: 'completed' }]);
  });

  test('refuses by the amount as ever', () => {
    const account = player([mission({ counts: 'EVENTS', conditions: { minAmount: units(10) } })]);
    expect(reasonOf(account.send({ amount: units(9) }))).toBe('BELOW_MINIMUM');
    expect(reasonOf(account.send({ amount: 0n }))).toBe('NOT_POSITIVE');
    expect(reasonOf(account.send({ amount: units(10) }))).toBe('progressed');
  });

  test('keeps the period of a streak, and fills a cap, by the number of events', () => {
    const account = player([
      mission({ type: 'STREAK', target: units(1), perPeriodTarget: units(2), counts: 'EVENTS' }),
      mission({ id: 'm2', counts: 'EVENTS', conditions: { maxPerPeriod: units(1) } }),
    ]);
    expect(account.send({ amount: units(5) })).toMatchObject([{ kind: 'progressed' }, { kind: 'progressed' }]);
    expect(account.send({ amount: units(5) })).toMatchObject([{ kind: 'completed' }, { reason: 'CAP_REACHED' }]);
  });
});
