import { describe, expect, it } from 'vitest';
import { Mission_Type } from '../../gen/laurel/v1/mission_pb.ts';
import { Reward_Type } from '../../gen/laurel/v1/reward_pb.ts';
import { missionTypeName } from '../../src/console/pages/campaigns/mission-types.ts';
import { rewardTypeName } from '../../src/console/pages/rewards/reward-types.ts';

/** A value that a newer service may answer to a page that was loaded before. */
const NEWER = 99;

describe('The console', () => {
  it('shows every reward type and every mission type under its own name', () => {
    expect([Reward_Type.PRODUCTS, Reward_Type.CHEST].map(rewardTypeName)).toEqual(['PRODUCTS', 'CHEST']);
    expect([Mission_Type.MISSION, Mission_Type.ROUTINE].map(missionTypeName)).toEqual(['MISSION', 'ROUTINE']);
  });

  it('never shows a type that it does not know as another one', () => {
    expect(() => rewardTypeName(NEWER as Reward_Type)).toThrow('does not know the value 99');
    expect(() => missionTypeName(NEWER as Mission_Type)).toThrow('does not know the value 99');
    expect(() => rewardTypeName(Reward_Type.TYPE_UNSPECIFIED)).toThrow('does not know the value 0');
  });
});
