import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { amountFromNumber, amountToNumber } from '../../../src/kernel/amount.ts';
import { type Journey, startJourney } from '../../journeys/stage.ts';
import { runsOf, runsOnDemand } from '../runs.ts';
import {
  type Answer,
  expectedAnswer,
  observedAnswer,
  expectedSimulation,
  observedSimulation,
  commonFields,
} from './answers.ts';
import { createModel, type Model } from './model.ts';
import type { Lock, MissionState } from './states.ts';
import { type Action, type Campaign, type Event, type Play, type Player, plays } from './steps.ts';
import { createWaiting, holdInbox, type Waiting } from './waiting.ts';
import { newWorld, type World } from './world.ts';

const START = Date.parse('2028-02-18T12:00:00Z');

let journey: Journey;
const done = { steps: 0, simulated: 0, waited: 0, bounds: 0, reached: 0 };
beforeAll(async () => {
  journey = await startJourney(new Date(START).toISOString());
  await holdInbox(journey.service);
});
afterAll(async () => {
  await journey.service.close();
  if (runsOnDemand)
    console.log(
      `${done.steps} steps, ${done.simulated} of them simulated and then done, ${done.waited} applied later; ` +
        `${done.reached} of ${done.bounds} maximum costs reached`,
    );
});

test(
  'an account that moves zones, is late, joins, leaves and claims has what a list of all its events adds up to',
  { timeout: 3_600_000 },
  () =>
    fc.assert(fc.asyncProperty(plays(60), play), {
      ...runsOf({ numRuns: 8, seed: 1 }),
      endOnFailure: true,
    }),
);

async function play(game: Play): Promise<void> {
  let now = START;
  journey.clock.set(now);
  const world = await newWorld(journey, game);
  for (const who of ['ada', 'bob'] as const) await world.idOf(who);
  const model = createModel(game, now);
  if (game.heldBack.open || game.heldBack.claimed) model.meet('eve', now);
  const waiting = createWaiting(world.stage);
  const apply = async () => {
    for (const { sent, who, arrival, answer } of await waiting.apply(journey.service)) {
      expect(observedAnswer(world, answer), JSON.stringify(sent)).toEqual(
        expectedAnswer(model.emit(who, { ...arrival, now })),
      );
      done.waited += 1;
    }
  };
  for (const { waitMs, action } of game.steps) {
    const before = now;
    // The millisecond keeps two steps from having the same time.
    now += waitMs + 1;
    const next = now;
    if (next > waiting.until()) {
      now = Math.max(before, waiting.until());
      journey.clock.set(now);
      await apply();
      now = next;
    }
    journey.clock.set(now);
    if (action.do === 'accept') await accept(model, waiting, action, now);
    else if (action.do === 'apply') await apply();
    else await perform(world, model, action, now);
    done.steps += 1;
  }
  await apply();
  for (const who of ['ada', 'bob', 'eve'] as const) {
    await look(world, model, who, now);
    await compareWithCosts(world, who);
  }
}

/** No account has earned more from a campaign than the most that its activation stated. */
async function compareWithCosts({ stage, costs, campaignIds }: World, who: Player): Promise<void> {
  const rewards: Answer[] = await stage.player(who).rewards();
  for (const home of ['open', 'claimed'] as const) {
    const earned = (type: string) =>
      rewards
        .filter(({ campaignId, rewardType }) => campaignId === campaignIds[home] && rewardType === type)
        .reduce((sum, { amount }) => sum + amount, 0);
    const [points, mugs] = [earned('POINTS'), earned('PRODUCTS')];
    expect(points).toBeLessThanOrEqual(costs[home].points);
    expect(mugs).toBeLessThanOrEqual(costs[home].mugs);
    done.bounds += 1;
    if (points === costs[home].points && mugs === costs[home].mugs) done.reached += 1;
  }
}

/** An action that is performed immediately. */
type Deed = Exclude<Action, { do: 'accept' | 'apply' }>;

async function perform(world: World, model: Model, action: Deed, now: number): Promise<void> {
  const { stage } = world;
  switch (action.do) {
    case 'emit':
    case 'simulate':
      return emit(world, model, action, now);
    case 'look':
      return look(world, model, action.who, now);
    case 'join':
    case 'leave': {
      model.meet(action.who, now);
      const accountIds = [await world.idOf(action.who)];
      const [method, verb] = action.do === 'join' ? (['POST', 'assign'] as const) : (['DELETE', 'remove'] as const);
      const path = `/gamification/audiences/${world.audienceId}/accounts/${verb}`;
      expect(await stage.rest(method, path, { accountIds })).toMatchObject({ status: 200 });
      return model[action.do](action.who, now);
    }
    case 'claim': {
      model.meet(action.who, now);
      await world.idOf(action.who);
      const { status, body } = await stage.player(action.who).claim(world.campaignIds.claimed);
      expect(status === 200 ? 'OK' : body.code).toBe(model.claim(action.who, now));
      return;
    }
    case 'move': {
      model.meet(action.who, now);
      const path = `/accounts/${await world.idOf(action.who)}`;
      expect(await stage.rest('PATCH', path, { timeZone: action.zone })).toMatchObject({ status: 200 });
      model.move(action.who, action.zone, now);
      return;
    }
    case 'rank': {
      model.meet(action.who, now);
      const path = `/accounts/${await world.idOf(action.who)}`;
      const attributes = { tier: action.tier };
      expect(await stage.rest('PATCH', path, { attributes })).toMatchObject({ status: 200 });
      return model.rank(action.who, action.tier, now);
    }
    case 'moveAll': {
      const path = `/admin/clients/${stage.clientId}`;
      const { name, version } = (await stage.rest('GET', path)).body;
      expect(await stage.rest('PUT', path, { name, version, timeZone: action.zone })).toMatchObject({ status: 200 });
      model.moveAll(action.zone, now);
      return;
    }
    case 'endAlone':
      expect(await stage.rest('POST', `/admin/missions/${world.aloneId}/end`)).toMatchObject({ status: 200 });
      return model.endAlone(now);
    case 'reschedule': {
      const endsAt = action.hours === null ? undefined : now + action.hours * 3_600_000;
      const { status, body } = await world.reschedule(action.campaign, endsAt);
      expect(status === 200 ? 'OK' : body.code).toBe(model.reschedule(action.campaign, endsAt));
      return;
    }
    default: {
      const verb = action.do === 'resume' ? 'activate' : action.do;
      const { status, body } = await stage.rest(
        'POST',
        `/admin/campaigns/${world.campaignIds[action.campaign]}/${verb}`,
      );
      expect(status === 200 ? 'OK' : body.code).toBe(model[action.do](action.campaign, now));
    }
  }
}

/** An event as the model takes it, and its request body. */
function eventOf({ who, amount, category, lateMs }: Event, now: number) {
  const arrival = { at: now - lateMs, now, amount: amountFromNumber(amount, 'amount'), category };
  const sent = {
    programmaticCode: 'PAY',
    accountId: who,
    idType: 'EXTERNAL',
    metadata: { amount, category },
    occurredAt: lateMs === 0 ? undefined : new Date(arrival.at).toISOString(),
  };
  return { arrival, sent };
}

async function accept(model: Model, waiting: Waiting, event: Event, now: number): Promise<void> {
  const { arrival, sent } = eventOf(event, now);
  model.meet(event.who, now);
  await waiting.accept({ who: event.who, sent, arrival: { ...arrival, acceptedAt: now } });
}

async function emit(world: World, model: Model, event: Event, now: number): Promise<void> {
  const { do: what, who } = event;
  const { arrival, sent } = eventOf(event, now);
  if (what === 'simulate') {
    const { body } = await world.stage.rest('POST', '/gamification/triggers/simulate', sent);
    expect(observedSimulation(world, body)).toEqual(expectedSimulation(model.simulate(who, arrival)));
    done.simulated += 1;
  }
  const { status, body } = await world.stage.rest('POST', '/gamification/triggers', sent);
  expect(status, JSON.stringify(body)).toBe(200);
  const expected = model.emit(who, arrival);
  expect(observedAnswer(world, body)).toEqual(expectedAnswer(expected));
}

/** Reads an account in every way, and compares the answers. */
async function look(world: World, model: Model, who: Player, now: number): Promise<void> {
  await world.idOf(who);
  model.meet(who, now);
  const player = world.stage.player(who);
  const { missions, missionOf } = world;
  const indexOf = (id: string) => missions.indexOf(missionOf(id));
  const [feed, progress, completed, { rows: claimable }, points] = await Promise.all([
    player.feed('ACTIVE', 'COMPLETED', 'EXPIRED'),
    player.get('/v1/gamification/missions/progress/{id}'),
    player.get('/v1/gamification/missions/completed/{id}'),
    player.get('/v1/accounts/{id}/claimable-campaigns'),
    player.points(),
  ]);
  const expected = model.feed(who, now);
  expect(feed.map((item: Answer) => [world.missionOf(item.missionId), seen(world, item)])).toEqual(
    expected.map(({ mission, state }) => [
      mission,
      {
        ...commonFields(state),
        ...whole(state),
        today: today(state),
        nextMilestone: state.nextMilestone,
        locks: state.locks ?? [],
      },
    ]),
  );
  const active = expected.filter(({ state }) => state.status === 'ACTIVE' && state.startedAt !== undefined);
  const begun = progress.map(({ missionId, periodKey, startedAt }: Answer) => [
    indexOf(missionId),
    periodKey,
    msOf(startedAt),
  ]);
  expect(texts(begun)).toEqual(
    texts(active.map(({ mission, state }) => [missions.indexOf(mission), state.periodKey, state.startedAt])),
  );
  expect(texts(completed.map(({ missionId, periodKey }: Answer) => [indexOf(missionId), periodKey]))).toEqual(
    texts(model.completed(who, now).map(({ mission, periodKey }) => [missions.indexOf(mission), periodKey])),
  );
  expect(claimable.map(({ campaignId }: Answer) => campaignId)).toEqual(
    model.claimable(who, now) ? [world.campaignIds.claimed] : [],
  );
  expect(points.available).toBe(model.points(who, now));
}

function seen(world: World, item: Answer): object {
  // The end of a routine's period depends on the calendar: `calendars.test.ts`.
  const expiresAt = item.type === 'ROUTINE' ? undefined : msOf(item.expiresAt);
  const { current, longest, freezesLeft, nextMilestone, ...ofToday } = item.streak ?? {};
  const streak = item.streak && { current, longest, freezesLeft };
  return {
    ...commonFields(item),
    ...whole({ ...item, streak, expiresAt }),
    today: 'keptToday' in ofToday ? ofToday : undefined,
    nextMilestone: nextMilestone?.length,
    locks: item.locks.map((lock: Answer) => seenLock(world, lock)),
  };
}

function seenLock(world: World, { kind, met, missionId, missionName, campaignId, opensAt }: Answer): Lock {
  if (kind === 'OUTSIDE_HOURS') {
    expect(met).toBe(false);
    return { isClosed: true, opensAt: msOf(opensAt) };
  }
  const needs = world.missionOf(missionId);
  expect({ kind, missionName, campaignId }).toEqual({
    kind: 'PREREQUISITE_MISSION',
    missionName: needs.home,
    campaignId: world.campaignIds[needs.home as Campaign],
  });
  return { needs, isMet: met };
}

/** The present period of a streak, with the field names of the contract. */
function today({ today: known }: MissionState): object | undefined {
  if (!known) return undefined;
  const { keepUntil } = known;
  return {
    todayProgress: amountToNumber(known.progress),
    todayTarget: amountToNumber(known.target),
    keptToday: known.isKept,
    todayEndsAt: textOf(known.endsAt),
    ...(keepUntil === undefined ? {} : { keepUntil: textOf(keepUntil) }),
  };
}

function whole({ streak, occurrences, expiresAt }: Partial<MissionState>): object {
  return { streak, occurrences, expiresAt };
}

function texts(list: ReadonlyArray<readonly unknown[]>): string[] {
  return list.map((each) => each.join(' ')).toSorted();
}

/** A number in JSON of protobuf: without a fraction if it is whole. */
function textOf(moment: number): string {
  return new Date(moment).toISOString().replace('.000Z', 'Z');
}

function msOf(moment: string | undefined): number | undefined {
  return moment === undefined ? undefined : Date.parse(moment);
}
