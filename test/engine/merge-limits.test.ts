import { expect, test } from 'vitest';
import { mergeAssignments } from '../../src/engine/missions/merge.ts';
import { missionTypes } from '../../src/engine/missions/mission-types.ts';
import { type HourEvent, mergeStories } from './condition-samples.ts';
import { HOUR, mission, MONDAY, player, reasonOf, units } from './fixtures.ts';

const DAY = 24 * HOUR;

function eventOf({ at, amount = 1, backfilledAt }: HourEvent) {
  const now = MONDAY + (backfilledAt ?? at) * HOUR;
  return {
    amount: units(amount),
    at: MONDAY + at * HOUR,
    now,
    ...(backfilledAt !== undefined && { backfilled: true }),
  };
}

for (const [field, each] of Object.entries(mergeStories)) {
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
