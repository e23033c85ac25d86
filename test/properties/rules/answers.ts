import { expect } from 'vitest';
import type { RestAnswer } from '../../support/service.ts';
import type { Emitted } from './model.ts';
import type { Effect, Told } from './standing.ts';
import type { Mission } from './steps.ts';
import type { World } from './world.ts';

/** A part of a body as it came. */
export type Answer = RestAnswer['body'];

/** What a simulation says, by mission: the reason, or where the account would stand, with rewards and campaigns. */
export function observedSimulation(world: World, missions: readonly Answer[]): object {
  return {
    effects: new Map(
      missions.map(({ missionId, progress, uncountedReason }) => [
        world.missionOf(missionId),
        progress ? toldBy(progress) : { reason: uncountedReason },
      ]),
    ),
    rewards: missions
      .flatMap(({ rewards, closing }) => [...rewards, ...(closing?.rewards ?? [])])
      .map(({ status, rewardType, amount }) => `${status} ${rewardType} ${amount}`)
      .toSorted(),
    closings: missions.flatMap(({ closing }) => (closing ? [campaignOf(world, closing)] : [])).toSorted(),
  };
}

function campaignOf(world: World, { campaignId, claimable }: { campaignId: string; claimable: boolean }): string {
  const home = campaignId === world.campaignIds.open ? 'open' : 'claimed';
  expect(claimable).toBe(home === 'claimed');
  return home;
}

/** What {@link observedSimulation} should give. */
export function expectedSimulation({ effects, rewards, pending, closings }: Emitted): object {
  const shown = new Map([...effects].map(([mission, effect]) => [mission, bare(effect)]));
  return {
    effects: shown,
    rewards: [
      ...rewards.map((text) => `DELIVERED ${text}`),
      ...pending.map((text) => `PENDING_STOCK ${text}`),
    ].toSorted(),
    closings: closings.toSorted(),
  };
}

/** What the answer to an event says. */
export function observedAnswer(world: World, { progressedMissions, rewards, pendingRewards = [] }: Answer): object {
  const texts = (list: readonly Answer[]) => list.map(({ rewardType, amount }) => `${rewardType} ${amount}`);
  return {
    progressed: progressedMissions.map((each: Answer) => [world.missionOf(each.missionId), toldBy(each)]),
    rewards: texts(rewards),
    pending: texts(pendingRewards),
  };
}

/** What {@link observedAnswer} should give. */
export function expectedAnswer({ effects, rewards, pending }: Emitted): object {
  const inOrder = [...effects].filter(([, effect]) => !('reason' in effect)) as Array<[Mission, Told]>;
  return { progressed: inOrder.map(([mission, told]) => [mission, bare(told)]), rewards, pending };
}

/** What every answer says of a mission. */
export function toldBy({ status, progress, periodKey = '' }: Answer): object {
  return { status, progress, periodKey };
}

function bare(effect: Effect): object {
  return 'reason' in effect ? effect : toldBy(effect);
}
