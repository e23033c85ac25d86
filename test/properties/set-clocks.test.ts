import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Receiver, startReceiver } from '../operations/webhooks/receiver.ts';
import { clockedStep } from './calls.ts';
import { type Clocks, startClocks } from './clocks.ts';
import { playByClocks } from './play.ts';
import { BALANCE_MAX } from './point-book.ts';
import { runsOf, runsOnDemand } from './runs.ts';
import { closeNodes, type Nodes, startNodes } from './world.ts';

const START = '2027-06-01T12:00:00Z';

/** The hours between two games: longer than the longest retry delay of a webhook. */
const HOURS_BETWEEN = 10;

let nodes: Nodes;
let clocks: Clocks;
let receiver: Receiver;
const failed = new Set<string>();
let games = 0;
beforeAll(async () => {
  nodes = await startNodes(START);
  clocks = await startClocks(nodes);
  // Each webhook fails once, so that its retry is scheduled by the clock of that moment.
  receiver = await startReceiver((_, response, { body }) => {
    const fails = !failed.has(body);
    failed.add(body);
    response.writeHead(fails ? 503 : 204).end();
  });
});
afterAll(async () => {
  await clocks?.stop();
  await closeNodes(nodes);
  await receiver?.close();
});

test(
  'whatever is asked while clocks are set, ahead and back, is answered by the moment that the contract says, once',
  { timeout: 3_600_000 },
  () => {
    // The time limit lets a busy machine play fewer games.
    const until = runsOnDemand ? Infinity : performance.now() + 8_000;
    return fc.assert(
      fc.asyncProperty(
        fc.array(clockedStep, { minLength: 1, maxLength: 30, size: 'max' }),
        fc.constantFrom(0, BALANCE_MAX - 12),
        async (steps, bobsPoints) => {
          // A game is never interrupted, because the last test checks the webhooks of all games.
          if (performance.now() > until) return;
          games += 1;
          await clocks.pass(HOURS_BETWEEN);
          await playByClocks(nodes, { steps, bobsPoints, clocks, webhook: `${receiver.url}/hook` });
        },
      ),
      { ...runsOf({ numRuns: 10, seed: 1 }), endOnFailure: true },
    );
  },
);

test('what a receiver refused while clocks were set it gets once they are right, within the longest pause', async () => {
  await clocks.putRight();
  await clocks.pass(9);
  expect(failed.size).toBeGreaterThan(0);
  const left = () =>
    nodes.service.db.systemUnitOfWork((uow) =>
      uow.query(`select id from outbox_message union all select id from webhook_retry`),
    );
  await expect.poll(left, { timeout: 20_000, interval: 50 }).toEqual([]);
  const lost = await nodes.service.db.systemUnitOfWork((uow) =>
    uow.query(`select message_id from webhook_delivery group by message_id having not bool_or(outcome = 'DELIVERED')`),
  );
  expect(lost).toEqual([]);
  if (runsOnDemand) console.log(`${games} games, ${failed.size} webhooks refused`);
});
