import type { Result, Settings } from '../benchmark.ts';
import { type Part, measuredTogether } from '../measured-together.ts';
import { whole } from '../report.ts';
import { describeRatios, median } from '../support/statistics.ts';
import { withWorkbench } from '../support/workbench.ts';
import { createWorld, type Kind, type World } from './world.ts';

/** Accounts of the one measured client. */
const ACCOUNTS = 95_000;

/** Clients of ten accounts beside it. */
const SMALL_CLIENTS = 3_000;

/** Clients that share the load, and accounts of each. */
const CLIENTS = 2_000;
const MANY_CLIENTS = 10_000;
const ACCOUNTS_EACH = 10;

const CONNECTIONS = 128;

/** Seconds until the code is hot. */
const WARM_UP = 4;

/** The ratios of fewer rounds vary too much, and longer rounds are no better: the whole takes less than ten minutes. */
const ROUNDS = 5;
const SECONDS = 5;

const WHAT: Readonly<Record<Kind, string>> = {
  events: 'Events applied per second over REST',
  feed: 'Reads of a feed per second over REST',
  points: 'Reads of the points per second over REST',
};

const AGAINST = `against a client of ${whole(ACCOUNTS)} accounts that has its analysed tables for itself`;

/** The benchmark of a world. */
function partOf(kind: Kind, world: string, aim = 0.9): Part {
  return { about: `${WHAT[kind]} ${world}, ${AGAINST}.`, aim };
}

const FRESH = 'on tables that were empty at the start and never analysed';
const SKEWED = `for the one large client beside ${whole(SMALL_CLIENTS)} of ten accounts, analysed`;

export default measuredTogether(
  'worlds',
  {
    'fresh-events': partOf('events', FRESH),
    'fresh-feed': partOf('feed', FRESH),
    'fresh-points': partOf('points', FRESH),
    'skewed-events': partOf('events', SKEWED),
    'skewed-feed': partOf('feed', SKEWED),
    'skewed-points': partOf('points', SKEWED),
    'clients-events': partOf('events', `of ${whole(CLIENTS)} clients by turns, analysed`, 0.4),
    'many-clients-events': {
      about: `${WHAT.events} of ${whole(MANY_CLIENTS)} clients by turns, against ${whole(CLIENTS)} clients, analysed.`,
      aim: 0.9,
    },
  },
  ({ rounds, seconds }) => measure({ rounds: Math.max(rounds, ROUNDS), seconds: Math.min(seconds, SECONDS) }),
);

async function measure(settings: Settings) {
  return withWorkbench('worlds', async (workbench) => {
    const one = { clients: 1, accountCount: ACCOUNTS };
    const worlds = {
      even: await createWorld(workbench, 'even', { ...one, analysed: true }),
      fresh: await createWorld(workbench, 'fresh', { ...one, analysed: false }),
      skewed: await createWorld(workbench, 'skewed', { ...one, smallClients: SMALL_CLIENTS, analysed: true }),
      clients: await createWorld(workbench, 'clients', {
        clients: CLIENTS,
        accountCount: ACCOUNTS_EACH,
        analysed: true,
      }),
      manyClients: await createWorld(workbench, 'many_clients', {
        clients: MANY_CLIENTS,
        accountCount: ACCOUNTS_EACH,
        analysed: true,
      }),
    };
    const events = await compare(worlds, 'events', ['fresh', 'skewed', 'clients', 'manyClients'], settings);
    const feed = await compare(worlds, 'feed', ['fresh', 'skewed'], settings);
    const points = await compare(worlds, 'points', ['fresh', 'skewed'], settings);
    for (const world of Object.values(worlds)) await world.verify();
    return {
      'fresh-events': events.fresh!,
      'fresh-feed': feed.fresh!,
      'fresh-points': points.fresh!,
      'skewed-events': events.skewed!,
      'skewed-feed': feed.skewed!,
      'skewed-points': points.skewed!,
      'clients-events': events.clients!,
      'many-clients-events': events.manyClients!,
    };
  });
}

/** The reference of a world, if it is not the even one. */
const REFERENCES: Readonly<Record<string, string>> = { manyClients: 'clients' };

/** Measures one kind of work in the even world and in others, in turns. */
async function compare(
  worlds: Readonly<Record<string, World>>,
  kind: Kind,
  others: readonly string[],
  { rounds, seconds }: Settings,
): Promise<Readonly<Record<string, Result>>> {
  const names = ['even', ...others];
  const rates = new Map<string, number[]>(names.map((name) => [name, []]));
  for (const name of names) await worlds[name]!.measure[kind]({ connections: CONNECTIONS, seconds: WARM_UP });
  for (let round = 0; round < rounds; round += 1) {
    // The order changes, so that no world always runs after the same one.
    for (const [index] of names.entries()) {
      const name = names[(round + index) % names.length]!;
      const { perSecond } = await worlds[name]!.measure[kind]({ connections: CONNECTIONS, seconds });
      rates.get(name)!.push(perSecond);
    }
  }
  return Object.fromEntries(
    others.map((name) => {
      const reference = rates.get(REFERENCES[name] ?? 'even')!;
      return [name, resultOf(kind, rates.get(name)!, reference, worlds[name]!)];
    }),
  );
}

function resultOf(kind: Kind, ours: readonly number[], reference: readonly number[], { populatedIn }: World): Result {
  return {
    unit: kind === 'events' ? 'events/s' : 'reads/s',
    ours: median(ours),
    reference: median(reference),
    details: {
      'ratio of a round': describeRatios(ours, reference),
      'populated in': `${whole(populatedIn)} s`,
      ...(kind === 'events' && { verified: 'every answered event is in the database exactly once' }),
    },
  };
}
