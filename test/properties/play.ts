import { expect } from 'vitest';
import { differencesOf } from '../../src/commands/verify.ts';
import { type Call, type Received, operationOf, type Step } from './calls.ts';
import type { Clocks } from './clocks.ts';
import { expectedState } from './expected-state.ts';
import { after, at, beginning, later, outcomes, type State, tidied } from './model.ts';
import { newWorld, type Nodes, type World } from './world.ts';

/** Plays steps in a new world. A set holds the states that are possible so far; most often it has one. */
export async function play(nodes: Nodes, steps: readonly Step[], bobsPoints: number): Promise<void> {
  const world = await newWorld(nodes, { bobsPoints });
  let states = [beginning(nodes.clock.read().getTime(), bobsPoints)];
  const calls: Call[] = [];
  for (const { hours, calls: wanted } of steps) {
    states = states.map((state) => later(state, hours));
    nodes.clock.set(states[0]!.now);
    const before = new Set(calls.map(operationOf));
    states = await ask(world, { wanted, calls, before, states });
  }
  await compare(nodes, world, states);
}

/**
 * Plays steps while clocks are set; clocks are right at the beginning and at the end.
 * @param webhook the URL that receives the webhooks
 */
export async function playByClocks(nodes: Nodes, { steps, bobsPoints, clocks, webhook }: Clocked): Promise<void> {
  const world = await newWorld(nodes, { bobsPoints, webhook });
  let states = [beginning(clocks.moments().now, bobsPoints)];
  const calls: Call[] = [];
  let before = new Set<string>();
  const go = async (change: () => Promise<unknown>) => {
    await change();
    const moments = clocks.moments();
    states = states.map((state) => at(state, moments));
  };
  /** A read makes the expiry by the present clock permanent: a later clock could show it otherwise. */
  const set = async (change: () => Promise<unknown>) => {
    await world.touched();
    await go(change);
  };
  for (const { hours, calls: wanted, jump, isTidied } of steps) {
    if (clocks.isTooLong(hours)) await set(clocks.putRight);
    if (!clocks.isFollowed()) await set(clocks.follow);
    if (hours > 0) await go(() => clocks.pass(hours));
    if (jump) {
      await set(() => clocks.jump(jump));
      // By such a clock, a recent refusal looks old or lies in the future, so a repeat of it is a new call.
      if (Math.abs(jump.to) > 60_000) before = new Set();
    }
    let round: Promise<void> = Promise.resolve();
    if (isTidied && clocks.isFollowed()) {
      const { by, done } = clocks.tidy(world.clientId);
      round = done;
      if (by !== undefined) {
        await done;
        states = states.map((state) => tidied(state, by));
      }
      await go(() => Promise.resolve());
    }
    const recent = new Set(before);
    const first = calls.length;
    states = await ask(world, { wanted, calls, before: recent, states });
    await round;
    for (const call of calls.slice(first)) before.add(operationOf(call));
  }
  await set(clocks.putRight);
  // An operation that took effect is still stored, so its repeat is recognised.
  for (const [index, call] of [...calls.entries()]) {
    if (!(operationOf(call) in states[0]!.done)) continue;
    states = await ask(world, { wanted: [calls.length - 1 - index], calls, before, states });
  }
  await compare(nodes, world, states);
}

/** A game during which clocks are set. */
export type Clocked = {
  readonly steps: readonly Step[];
  readonly bobsPoints: number;
  readonly clocks: Clocks;
  readonly webhook: string;
};

/** A group of concurrent calls before it is sent. */
type Asked = {
  readonly wanted: Step['calls'];
  /** All calls so far, to which the group is added. */
  readonly calls: Call[];
  readonly before: ReadonlySet<string>;
  readonly states: readonly State[];
};

/** Sends the calls, and returns the states that explain the answers. */
async function ask(world: World, { wanted, calls, before, states }: Asked): Promise<State[]> {
  const group = await nameCalls(world, wanted, calls);
  const received = await Promise.all(group.map((call) => world.send(call)));
  if (group.some((call) => call.do === 'emitLater')) await world.settled();
  const explained = explain(states, group, received, before);
  expect(
    explained,
    `no order explains ${JSON.stringify(
      group.map((call, index) => ({ ...call, ...received[index] })),
      undefined,
      1,
    )}`,
  ).not.toEqual([]);
  return explained;
}

/** Checks that the observed state equals one of the possible states, and that the books balance. */
async function compare({ service }: Nodes, world: World, states: readonly State[]): Promise<void> {
  expect(states.map(expectedState)).toContainEqual(await world.observedState());
  const codes = await world.codes();
  expect(new Set(codes).size).toBe(codes.length);
  expect(await differencesOf(service.db, world.clientId)).toEqual([]);
}

/** The calls of a step. Repeats are looked up in `calls`, to which the group is added. */
async function nameCalls(world: World, wanted: Step['calls'], calls: Call[]): Promise<Call[]> {
  const group: Call[] = [];
  for (const action of wanted) {
    const call = typeof action === 'number' ? calls.at(-1 - action) : named(action, calls);
    if (call === undefined) continue;
    group.push(await aimed(world, call, calls.length));
    calls.push(group.at(-1)!);
  }
  return group;
}

/** A call with the id of an existing chest, purchase or waiting reward, if there is one. */
async function aimed(world: World, call: Call, turn: number): Promise<Call> {
  const oneOf = <T>(things: readonly T[]): T | undefined => things[turn % Math.max(1, things.length)];
  if (call.do === 'cancelWaiting' || call.do === 'deliverWaiting') {
    const waiting = call.waiting ?? oneOf(await world.waitingOf(call.who));
    return waiting === undefined ? call : { ...call, waiting };
  }
  if (call.do === 'openChest' || call.do === 'openChestFor')
    return { ...call, chestId: call.chestId ?? oneOf(await world.chestsOf(call.who)) };
  if (call.do !== 'cancel') return call;
  return { ...call, redemptionId: call.redemptionId ?? oneOf(await world.purchasesOf(call.who)) };
}

/** An action as a call with a new operation id, or with that of an earlier call. */
function named(action: Exclude<Step['calls'][number], number>, calls: readonly Call[]): Call {
  const fresh = `operation ${calls.length}`;
  if (!('action' in action)) return { ...action, operationId: fresh };
  return { ...action.action, operationId: calls.at(-1 - action.idOf)?.operationId ?? fresh };
}

/**
 * The states after those orders of the calls in which each call has its observed answer.
 * @param before operations of earlier calls: a repeat of a recently refused operation may get `OPERATION_IN_PROGRESS` (docs/decisions/0021)
 */
function explain(
  states: readonly State[],
  group: readonly Call[],
  received: readonly Received[],
  before: ReadonlySet<string>,
): State[] {
  const found = new Map<string, State>();
  const follow = (state: State, open: readonly number[]): void => {
    if (open.length === 0) found.set(JSON.stringify(state), state);
    for (const index of open) {
      const call = group[index]!;
      const isShared = group.filter((other) => operationOf(other) === operationOf(call)).length > 1;
      const isTooEarly = received[index]!.digest === '409 OPERATION_IN_PROGRESS' && before.has(operationOf(call));
      const next = isTooEarly ? state : after(state, call, received[index]!, isShared);
      if (next === undefined) continue;
      const rest = open.filter((other) => other !== index);
      for (const outcome of outcomes(state, call, next)) follow(outcome, rest);
    }
  };
  for (const state of states) follow(state, [...group.keys()]);
  return [...found.values()];
}
