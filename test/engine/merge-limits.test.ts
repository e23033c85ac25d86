import { expect, test } from 'vitest';
import type { LimitState, MergedProgress } from '../../src/engine/assignment.ts';
import { mergeAssignments } from '../../src/engine/missions/merge.ts';
import type { MissionConditions } from '../../src/engine/missions/mission-rule.ts';
import { missionTypes } from '../../src/engine/missions/mission-types.ts';
import { HOUR, mission, MONDAY, player, reasonOf, units } from './fixtures.ts';

const DAY = 24 * HOUR;

/** An event, in hours after Monday noon; it arrives when it occurs, or is backfilled later. */
type Sent = { readonly at: number; readonly amount?: number; readonly backfilledAt?: number };

/** Two accounts with events, the event after their merge, and its fate for each way of combining. */
type Story = {
  readonly title: string;
  readonly conditions: MissionConditions;
  readonly from: readonly Sent[];
  readonly into: readonly Sent[];
  readonly after: Sent;
  readonly expected: Readonly<Record<MergedProgress, string>>;
};

/** Stories of the state that conditions keep. A field without one does not compile. */
const stories: Readonly<Record<keyof LimitState, readonly Story[]>> = {
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

function eventOf({ at, amount = 1, backfilledAt }: Sent) {
  const now = MONDAY + (backfilledAt ?? at) * HOUR;
  return {
    amount: units(amount),
    at: MONDAY + at * HOUR,
    now,
    ...(backfilledAt !== undefined && { backfilled: true }),
  };
}

for (const [field, each] of Object.entries(stories)) {
  test.each(each)(
    `a merge keeps ${field} of both accounts: an event $title`,
    ({ conditions, from, into, after, expected }) => {
      for (const how of ['MAX', 'SUM'] as const) {
        const rule = mission({ target: units(100), period: 'DAY', conditions });
        const players = [from, into].map((events) => {
          const account = player([rule]);
          for (const event of events) account.send(eventOf(event));
          return account;
        });
        const [one, other] = players.map((account) => account.assignments.get(rule.id));
        const survivor = player([rule]);
        const rules = { how, accountId: 'b', calendar: survivor.calendar, now: MONDAY + 3 * DAY };
        const { assignment } = mergeAssignments(
          survivor.plan(),
          { from: one, into: other },
          rules,
          missionTypes.MISSION.merge,
        );
        survivor.assignments.set(rule.id, assignment);
        const decisions = survivor.send(eventOf(after));
        expect(reasonOf(decisions), how).toBe(expected[how]);
      }
    },
  );
}
