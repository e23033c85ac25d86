import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { REWARD_TYPES } from '../../src/rewards/definitions/reward-types.ts';
import { step } from './calls.ts';
import { play } from './play.ts';
import { BALANCE_MAX } from './point-book.ts';
import { series } from './prizes.ts';
import { runsOf, runsOnDemand } from './runs.ts';
import { closeNodes, type Nodes, startNodes } from './world.ts';

const START = '2027-06-01T12:00:00Z';

let nodes: Nodes;
beforeAll(async () => {
  nodes = await startNodes(START);
});
afterAll(() => closeNodes(nodes));

test('events earn rewards of every type', () => {
  expect(new Set(series.map(({ type }) => type))).toEqual(new Set(REWARD_TYPES));
});

test(
  'whatever is asked, also at once and of two nodes, is answered as if asked one after the other',
  { timeout: 3_600_000 },
  () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30, size: 'max' }), bobsPoints, (steps, points) => {
        nodes.clock.set(START);
        return play(nodes, steps, points);
      }),
      // The time limit lets a busy machine play fewer sequences.
      {
        ...runsOf({ numRuns: 12, seed: 1 }),
        endOnFailure: true,
        ...(runsOnDemand === undefined && { interruptAfterTimeLimit: 15_000 }),
      },
    ),
);

/** Bob's initial points: 0, or nearly the maximum balance. */
const bobsPoints = fc.constantFrom(0, BALANCE_MAX - 12);
