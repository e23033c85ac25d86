import { expect } from 'vitest';
import type { RestAnswer } from '../../support/service.ts';
import type { Emitted } from './model.ts';
import type { Effect, MissionState } from './states.ts';
import type { Mission } from './steps.ts';
import type { World } from './world.ts';

/** A part of the body of an answer. */
export type Answer = RestAnswer['body'];

/** The answer to a simulation, by mission: the reason, or the new progress, with rewards and closed campaigns. */
export function observedSimulation(world: World, missions: readonly Answer[]): object {
  return {
    effects: new Map(
      missions.map(({ missionId, progress, uncountedReason }) => [
        world.missionOf(missionId),
        progress ? commonFields(progress) : { reason: uncountedReason },
      ]),
    ),
    rewards: missions
      .flatMap(({ rewards, closing }) => [...rewards, ...(closing?.rewards ?? [])])
      .map(({ status, rewardType, amount }) => `${status} ${rewardType} ${amount}`)
      .toSorted(),
    skipped: missions
      .flatMap(({ skippedRewards, closing }) => [...skippedRewards, ...(closing?.skippedRewards ?? [])])
      .map(({ reason }) => `${reason}`)
      .toSorted(),
    closings: missions.flatMap(({ closing }) => (closing ? [campaignOf(world, closing)] : [])).toSorted(),
  };
}

function campaignOf(world: World, { campaignId, claimable }: { campaignId: string; claimable: boolean }): string {
  const home = campaignId === world.campaignIds.open ? 'open' : 'claimed';
  expect(claimable).toBe(home === 'claimed');
  return home;
}

/** The expected value of {@link observedSimulation}. */
export function expectedSimulation({ effects, rewards, pending, skipped, closings }: Emitted): object {
  const shown = new Map([...effects].map(([mission, effect]) => [mission, bare(effect)]));
  return {
    effects: shown,
    rewards: [
      ...rewards.map((text) => `DELIVERED ${text}`),
      ...pending.map((text) => `PENDING_STOCK ${text}`),
    ].toSorted(),
    skipped: skipped.toSorted(),
    closings: closings.toSorted(),
  };
}

/** The content of the answer to an event. */
export function observedAnswer(
  world: World,
  { progressedMissions, rewards, pendingRewards = [], skippedRewards = [] }: Answer,
): object {
  const texts = (list: readonly Answer[]) => list.map(({ rewardType, amount }) => `${rewardType} ${amount}`);
  return {
    progressed: progressedMissions.map((each: Answer) => [world.missionOf(each.missionId), commonFields(each)]),
    rewards: texts(rewards),
    pending: texts(pendingRewards),
    skipped: skippedRewards.map(({ reason }: Answer) => reason),
  };
}

/** The expected value of {@link observedAnswer}. */
export function expectedAnswer({ effects, rewards, pending, skipped }: Emitted): object {
  const inOrder = [...effects].filter(([, effect]) => !('reason' in effect)) as Array<[Mission, MissionState]>;
  return { progressed: inOrder.map(([mission, state]) => [mission, bare(state)]), rewards, pending, skipped };
}

/** The fields of a mission that every answer has. */
export function commonFields({ status, progress, periodKey = '', completions, rounds, carriedOver }: Answer): object {
  return { status, progress, periodKey, completions, rounds, carriedOver };
}

function bare(effect: Effect): object {
  return 'reason' in effect ? effect : commonFields(effect);
}
