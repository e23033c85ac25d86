import { expect } from 'vitest';
import { differencesOf } from '../../src/commands/verify.ts';
import { type Call, type Heard, operationOf, type Step } from './calls.ts';
import type { Clocks } from './clocks.ts';
import { expectedState } from './expected-state.ts';
import { after, at, beginning, later, outcomes, type State, tidied } from './model.ts';
import { newWorld, type Nodes, type World } from './world.ts';

/** Plays steps in a world of their own. What could have been so far is a set of states: most often one. */
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
 * The same while clocks are set, from right ones to right ones.
 * @param webhook where webhooks go to
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
  /** What has expired by the present clock has been seen so: another might not have it expire. */
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
      // A refusal of a moment ago is one of long ago by such a clock, or of one that was ahead: its repeat is a call like any other.
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
  // Whatever took effect is still known: its repeat is one.
  for (const [index, call] of [...calls.entries()]) {
    if (!(operationOf(call) in states[0]!.done)) continue;
    states = await ask(world, { wanted: [calls.length - 1 - index], calls, before, states });
  }
  await compare(nodes, world, states);
}

/** A game by clocks that are set. */
export type Clocked = {
  readonly steps: readonly Step[];
  readonly bobsPoints: number;
  readonly clocks: Clocks;
  readonly webhook: string;
};

/** A group of calls that is to be asked. */
type Asked = {
  readonly wanted: Step['calls'];
  /** All calls so far, which they join. */
  readonly calls: Call[];
  readonly before: ReadonlySet<string>;
  readonly states: readonly State[];
};

/** Asks, and gives the states that explain the answers. */
async function ask(world: World, { wanted, calls, before, states }: Asked): Promise<State[]> {
  const group = await nameCalls(world, wanted, calls);
  const heard = await Promise.all(group.map((call) => world.send(call)));
  if (group.some((call) => call.do === 'emitLater')) await world.settled();
  const explained = explain(states, group, heard, before);
  expect(
    explained,
    `no order explains ${JSON.stringify(
      group.map((call, index) => ({ ...call, ...heard[index] })),
      undefined,
      1,
    )}`,
  ).not.toEqual([]);
  return explained;
}

/** Everything is as one of the states says, and adds up. */
async function compare({ service }: Nodes, world: World, states: readonly State[]): Promise<void> {
  expect(states.map(expectedState)).toContainEqual(await world.observedState());
  const codes = await world.codes();
  expect(new Set(codes).size).toBe(codes.length);
  expect(await differencesOf(service.db, world.clientId)).toEqual([]);
}

/** The calls of a step, those that are repeats looked up among all so far, which they join. */
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

/** A call with the chest, the purchase or the waiting reward that it is about, one of those that there are, if there are any. */
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

/** An action as a call with an operation id: a new one, or that of a call before it. */
function named(action: Exclude<Step['calls'][number], number>, calls: readonly Call[]): Call {
  const fresh = `operation ${calls.length}`;
  if (!('action' in action)) return { ...action, operationId: fresh };
  return { ...action.action, operationId: calls.at(-1 - action.idOf)?.operationId ?? fresh };
}

/**
 * The states that some order of the calls leads to, in which each would have been answered as it was.
 * @param before operations that calls before these named: a repeat of what was refused a moment ago may be told to come again
 * (docs/decisions/0021)
 */
function explain(
  states: readonly State[],
  group: readonly Call[],
  heard: readonly Heard[],
  before: ReadonlySet<string>,
): State[] {
  const found = new Map<string, State>();
  const follow = (state: State, open: readonly number[]): void => {
    if (open.length === 0) found.set(JSON.stringify(state), state);
    for (const index of open) {
      const call = group[index]!;
      const isShared = group.filter((other) => operationOf(other) === operationOf(call)).length > 1;
      const isTooEarly = heard[index]!.says === '409 OPERATION_IN_PROGRESS' && before.has(operationOf(call));
      const next = isTooEarly ? state : after(state, call, heard[index]!, isShared);
      if (next === undefined) continue;
      const rest = open.filter((other) => other !== index);
      for (const outcome of outcomes(state, call, next)) follow(outcome, rest);
    }
  };
  for (const state of states) follow(state, [...group.keys()]);
  return [...found.values()];
}
