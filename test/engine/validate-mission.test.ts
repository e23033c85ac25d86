import { describe, expect, test } from 'vitest';
import { ENDLESS, type MissionRule } from '../../src/engine/missions/mission-rule.ts';
import type { EventType } from '../../src/engine/game-event.ts';
import { validateMission } from '../../src/engine/missions/validate-mission.ts';
import { mission, units } from './fixtures.ts';

const half = 5_000n;
const endless: Partial<MissionRule> = { type: 'STREAK', endless: true, target: ENDLESS, rewardIds: [] };

/** A STREAK of ten with milestones. */
function withMilestones(...lengths: readonly number[]): Partial<MissionRule> {
  return { type: 'STREAK', milestones: lengths.map((length) => ({ length, rewardIds: ['r1'] })) };
}

describe('a mission is refused', () => {
  test.each<[string, EventType, Partial<MissionRule>]>([
    ['target must be above 0', 'AMOUNT', { target: 0n }],
    ['target must be a whole number', 'SINGLE', { target: half }],
    ['target must be a whole number', 'AMOUNT', { type: 'STREAK', target: half }],
    ['perPeriodTarget must be above 0', 'AMOUNT', { type: 'STREAK', perPeriodTarget: 0n }],
    ['perPeriodTarget must be above 0, and a whole', 'SINGLE', { type: 'STREAK', perPeriodTarget: half }],
    ['perPeriodTarget is for missions of type STREAK', 'SINGLE', { perPeriodTarget: units(1) }],
    ['gracePeriods is for missions of type STREAK', 'SINGLE', { type: 'ROUTINE', gracePeriods: 1 }],
    ['endless is for missions of type STREAK', 'SINGLE', { endless: true }],
    ['milestones is for missions of type STREAK', 'SINGLE', { milestones: [{ length: 1, rewardIds: ['r1'] }] }],
    ['endless is for standalone missions', 'SINGLE', { ...endless, campaignId: 'c1' }],
    ['An endless mission is never completed', 'SINGLE', { ...endless, rewardIds: ['r1'] }],
    ['milestones are for standalone missions', 'SINGLE', { ...withMilestones(2), campaignId: 'c1' }],
    ['The lengths of milestones must rise', 'SINGLE', withMilestones(2, 2)],
    ['The lengths of milestones must rise', 'SINGLE', withMilestones(3, 2)],
    ['The lengths of milestones must be at most target', 'SINGLE', withMilestones(11)],
    ['occurrences is for missions of type ROUTINE', 'SINGLE', { occurrences: 3 }],
    ['durationDays is for missions of type CHALLENGE', 'SINGLE', { durationDays: 3 }],
    ['A CHALLENGE needs a window', 'SINGLE', { type: 'CHALLENGE' }],
    ['startsAt must be before endsAt', 'SINGLE', { startsAt: 5, endsAt: 5 }],
    ['audienceId is for standalone missions', 'SINGLE', { campaignId: 'c1', audienceId: 'x' }],
    ['A ROUTINE in a campaign needs occurrences', 'SINGLE', { type: 'ROUTINE', campaignId: 'c1' }],
    ['minAmount and maxAmount are for AMOUNT events', 'SINGLE', { conditions: { minAmount: 1n } }],
    ['minAmount and maxAmount are for AMOUNT events', 'SINGLE', { conditions: { maxAmount: 1n } }],
    ['minAmount must not be above maxAmount', 'AMOUNT', { conditions: { minAmount: 2n, maxAmount: 1n } }],
    ['maxPerPeriod must be above 0', 'AMOUNT', { conditions: { maxPerPeriod: 0n } }],
    ['maxPerPeriod must be above 0, and a whole', 'SINGLE', { conditions: { maxPerPeriod: half } }],
    [
      'maxPerPeriod is below what one period must reach',
      'AMOUNT',
      { type: 'STREAK', perPeriodTarget: units(5), conditions: { maxPerPeriod: units(4) } },
    ],
    [
      'maxPerPeriod is below what one period must reach',
      'AMOUNT',
      { type: 'ROUTINE', conditions: { maxPerPeriod: units(9) } },
    ],
    ['A mission cannot require itself', 'SINGLE', { conditions: { prerequisiteMissionIds: ['m1'] } }],
    [
      'A daily STREAK or ROUTINE cannot have both',
      'SINGLE',
      { type: 'STREAK', conditions: { daysOfWeek: [5], timeFrom: '22:00', timeTo: '02:00' } },
    ],
    [
      'A daily STREAK or ROUTINE cannot have both',
      'SINGLE',
      { type: 'ROUTINE', conditions: { daysOfWeek: [5], timeFrom: '09:00', timeTo: '09:00' } },
    ],
  ])('"%s", for one of %s events', (message, eventType, changes) => {
    expect(() => validateMission(mission(changes), eventType)).toThrow(message);
    expect(() => validateMission(mission(changes), eventType)).toThrow(
      expect.objectContaining({ code: 'BAD_REQUEST' }),
    );
  });
});

describe('a mission is accepted', () => {
  test.each<[EventType, Partial<MissionRule>]>([
    ['SINGLE', {}],
    ['SINGLE', endless],
    ['SINGLE', { ...endless, milestones: [{ length: 100_000, rewardIds: ['r1'] }] }],
    ['SINGLE', withMilestones(1, 10)],
    ['AMOUNT', { target: half, conditions: { minAmount: 1n, maxAmount: 1n, maxPerPeriod: half } }],
    ['SINGLE', { gracePeriods: 0 }],
    ['SINGLE', { type: 'CHALLENGE', endsAt: 5 }],
    ['SINGLE', { type: 'CHALLENGE', durationDays: 5 }],
    ['AMOUNT', { type: 'STREAK', perPeriodTarget: half, gracePeriods: 2, conditions: { maxPerPeriod: half } }],
    ['SINGLE', { conditions: { maxPerPeriod: units(1) } }],
    ['SINGLE', { conditions: { daysOfWeek: [5], timeFrom: '22:00', timeTo: '02:00' } }],
    ['SINGLE', { type: 'STREAK', conditions: { timeFrom: '22:00', timeTo: '02:00' } }],
    ['SINGLE', { type: 'ROUTINE' }],
    ['SINGLE', { type: 'ROUTINE', conditions: { maxPerPeriod: units(10) } }],
    ['SINGLE', { type: 'ROUTINE', campaignId: 'c1', occurrences: 5 }],
    ['SINGLE', { type: 'STREAK', conditions: { daysOfWeek: [5], timeFrom: '22:00', timeTo: '00:00' } }],
    ['SINGLE', { type: 'STREAK', period: 'WEEK', conditions: { daysOfWeek: [5], timeFrom: '22:00', timeTo: '02:00' } }],
  ])('of %s events, case %$', (eventType, changes) => {
    expect(() => validateMission(mission(changes), eventType)).not.toThrow();
  });
});
