import { describe, expect, test } from 'vitest';
import { compileCampaign } from '../../src/engine/campaign-plan.ts';
import { isHeldBack } from '../../src/engine/control-group.ts';
import { mergeAssignments } from '../../src/engine/missions/merge.ts';
import { missionTypes } from '../../src/engine/missions/mission-types.ts';
import { viewMission } from '../../src/engine/missions/view-mission.ts';
import { derivedId } from '../../src/kernel/ids.ts';
import { campaign, HOUR, mission, MONDAY, player, reasonOf, units } from './fixtures.ts';

const accounts = Array.from({ length: 20_000 }, (_, index) => derivedId('account', `${index}`));
const campaignOf = (controlGroupPercent: number, id = derivedId('campaign', 'one')) =>
  compileCampaign(campaign({ id, controlGroupPercent }), []);

test.each([1, 10, 50, 90])('a control group of %i percent has that share of the accounts', (percent) => {
  const count = accounts.filter((id) => isHeldBack(campaignOf(percent), id)).length;
  const expected = (accounts.length * percent) / 100;
  // Four standard deviations.
  expect(Math.abs(count - expected)).toBeLessThan(4 * Math.sqrt(expected * (1 - percent / 100)));
});

test('two campaigns hold back independently: the accounts of both are a tenth of a tenth', () => {
  const [one, other] = [campaignOf(10), campaignOf(10, derivedId('campaign', 'other'))];
  const both = accounts.filter((id) => isHeldBack(one, id) && isHeldBack(other, id)).length;
  expect(Math.abs(both - 200)).toBeLessThan(60);
});

test('a larger control group has all accounts of a smaller one', () => {
  const [small, large] = [campaignOf(10), campaignOf(11)];
  expect(accounts.filter((id) => isHeldBack(small, id) && !isHeldBack(large, id))).toEqual([]);
});

test('a campaign without a control group, and a mission without a campaign, hold nobody back', () => {
  const plans = [compileCampaign(campaign(), []), campaignOf(0), undefined];
  expect(accounts.filter((id) => plans.some((plan) => isHeldBack(plan, id)))).toEqual([]);
});

describe('an account that is held back', () => {
  const rule = campaign({ controlGroupPercent: 50 });
  const heldBack = accounts.find((id) => isHeldBack(compileCampaign(rule, []), id))!;
  const member = accounts.find((id) => !isHeldBack(compileCampaign(rule, []), id))!;
  const own = mission({ campaignId: 'c1' });
  const joined = new Map([['everyone', MONDAY]]);

  test('counts nothing for the campaign, whenever it happened, and everything outside of it', () => {
    const apart = mission({ id: 'm2' });
    const account = player([own, apart], [rule], { accountId: heldBack });
    for (const at of [MONDAY, MONDAY - 5 * HOUR])
      expect(account.send({ at, now: MONDAY })).toMatchObject([
        { missionId: 'm1', reason: 'CONTROL_GROUP' },
        { missionId: 'm2', kind: 'progressed' },
      ]);
    expect(reasonOf(player([own], [rule], { accountId: member }).send())).toBe('progressed');
  });

  test('hears of the audience first, and of the group before the rest', () => {
    const reason = (changes: Parameters<typeof player>[2], at = MONDAY) =>
      reasonOf(player([own], [{ ...rule, activatedAt: MONDAY }], { accountId: heldBack, ...changes }).send({ at }));
    expect(reason({ audiences: new Map() })).toBe('NOT_IN_AUDIENCE');
    expect(reason({ audiences: joined }, MONDAY - HOUR)).toBe('BEFORE_JOINING');
    expect(reason({}, MONDAY - HOUR)).toBe('CONTROL_GROUP');
  });

  test('has counted nothing in a former membership either', () => {
    const formerAudiences = new Map([['everyone', [{ from: MONDAY - HOUR, until: MONDAY + HOUR }]]]);
    const account = player([own], [rule], { accountId: heldBack, audiences: new Map(), formerAudiences });
    expect(reasonOf(account.send())).toBe('CONTROL_GROUP');
  });

  test('does not see the missions, with progress or without, but what is completed', () => {
    const account = player([own], [rule], { accountId: heldBack });
    const statusWith = (progress: number | undefined) => {
      const earlier = player([own], [campaign()], { accountId: heldBack });
      if (progress !== undefined) earlier.send({ amount: units(progress) });
      return viewMission(account.plan(), { ...account, assignments: earlier.assignments }, MONDAY)?.status;
    };
    expect([statusWith(undefined), statusWith(4), statusWith(10)]).toEqual([undefined, undefined, 'COMPLETED']);
  });

  test.each(['MAX', 'SUM'] as const)('completes nothing by a merge of %s: the further progress stays', (how) => {
    const stateOf = (amount: number) => {
      const account = player([own], [campaign()], { accountId: member });
      account.send({ amount: units(amount) });
      return account.assignments.get('m1');
    };
    const { plan, calendar } = player([own], [rule]);
    const merged = (accountId: string) =>
      mergeAssignments(
        plan(),
        { from: stateOf(6), into: stateOf(7) },
        { how, accountId, calendar, now: MONDAY },
        missionTypes.MISSION.merge,
      );
    expect(merged(heldBack)).toMatchObject({ rounds: 0, assignment: { progress: units(7), status: 'ACTIVE' } });
    expect(merged(member).rounds).toBe(how === 'SUM' ? 1 : 0);
  });
});
