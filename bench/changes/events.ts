import type { Benchmark } from '../benchmark.ts';
import { type Game, measureEvents } from '../expressions/events.ts';
import { whole } from '../report.ts';

const game: Game = { missions: 1, hasConditions: false, audience: 'EVERYONE' };

/** Streams of accounts that the events move. */
const LISTENERS = 1_000;

/** Events of a client with a feed of changes, which an event that only moves a mission adds a line to. */
export const eventsWithFeed: readonly Benchmark[] = [
  {
    name: 'changes:nobody',
    about:
      'Events applied per second with a feed of changes that nobody reads, 200 in each REST request, against no feed.',
    aim: 0.95,
    run: (settings) => measureEvents(settings, { ours: { ...game, listeners: 0 }, reference: game }),
  },
  {
    name: 'changes:listeners',
    about: `Events applied per second with ${whole(LISTENERS)} streams of accounts that they move, 200 in each REST request, against no feed.`,
    aim: 0.85,
    run: (settings) => measureEvents(settings, { ours: { ...game, listeners: LISTENERS }, reference: game }),
  },
];
