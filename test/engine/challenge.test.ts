import { describe, expect, test } from 'vitest';
import { DAY } from '../../src/kernel/time/timestamp.ts';
import { campaign, HOUR, mission, MONDAY, player, reasonOf, units } from './fixtures.ts';

const week = mission({ type: 'CHALLENGE', target: units(5), durationDays: 7 });

describe('a CHALLENGE', () => {
  test('lasts from its first progress, however long that lets itself be awaited', () => {
    const account = player([week]);
    account.send({ at: MONDAY });
    expect(reasonOf(account.send({ at: MONDAY + 7 * DAY - 1 }))).toBe('progressed');
    expect(reasonOf(account.send({ at: MONDAY + 7 * DAY }))).toBe('EXPIRED');
  });

  test('lasts days of 24 hours, also where the clocks change', () => {
    const account = player([week], [], { timeZone: 'Europe/Madrid' });
    const begin = Date.parse('2026-03-25T12:00:00Z');
    account.send({ at: begin });
    expect(reasonOf(account.send({ at: begin + 7 * DAY - 1 }))).toBe('progressed');
    expect(reasonOf(account.send({ at: begin + 7 * DAY }))).toBe('EXPIRED');
  });

  test('takes an event that occurred in its window and arrives after it', () => {
    const account = player([week]);
    account.send({ at: MONDAY });
    expect(reasonOf(account.send({ at: MONDAY + 7 * DAY - 1, now: MONDAY + 7 * DAY + HOUR }))).toBe('progressed');
  });

  test('began with the event that counted first: one that arrives late counts and moves nothing', () => {
    const account = player([week]);
    account.send({ at: MONDAY });
    expect(reasonOf(account.send({ at: MONDAY - HOUR, now: MONDAY }))).toBe('progressed');
    expect(reasonOf(account.send({ at: MONDAY + 7 * DAY - 1 }))).toBe('progressed');
    expect(reasonOf(account.send({ at: MONDAY + 7 * DAY }))).toBe('EXPIRED');
  });

  test('stands still while its campaign is paused, and its end does not', () => {
    const pauses = [{ from: MONDAY + DAY, until: MONDAY + 3 * DAY }];
    const paused = player([{ ...week, campaignId: 'c1' }], [campaign({ pauses })]);
    paused.send({ at: MONDAY });
    expect(reasonOf(paused.send({ at: MONDAY + 9 * DAY - 1 }))).toBe('progressed');
    expect(reasonOf(paused.send({ at: MONDAY + 9 * DAY }))).toBe('EXPIRED');
    const ending = player([{ ...week, campaignId: 'c1', endsAt: MONDAY + 8 * DAY }], [campaign({ pauses })]);
    ending.send({ at: MONDAY });
    expect(reasonOf(ending.send({ at: MONDAY + 8 * DAY }))).toBe('EXPIRED');
  });

  test('completes within its window and stays so', () => {
    const account = player([week]);
    account.send({ at: MONDAY, amount: units(5) });
    expect(reasonOf(account.send({ at: MONDAY + 8 * DAY }))).toBe('ALREADY_COMPLETED');
  });

  test('ends at its end, if that comes first', () => {
    const account = player([{ ...week, endsAt: MONDAY + DAY }]);
    account.send({ at: MONDAY });
    expect(reasonOf(account.send({ at: MONDAY + DAY }))).toBe('EXPIRED');
  });

  test('alone has a duration: a MISSION that is given one takes its time', () => {
    const account = player([mission({ durationDays: 1 })]);
    account.send({ at: MONDAY });
    expect(reasonOf(account.send({ at: MONDAY + 9 * DAY }))).toBe('progressed');
  });
});
