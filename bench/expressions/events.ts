import type { Socket } from 'node:net';
import type { Result, Settings } from '../benchmark.ts';
import { openStream } from '../changes/open-stream.ts';
import { whole } from '../report.ts';
import { accountIdSql } from '../growth/accounts.ts';
import { executeSql } from '../support/execute-sql.ts';
import { inTurns } from '../support/in-turns.ts';
import { startLoad } from '../support/load.ts';
import type { LoadReport } from '../support/load-protocol.ts';
import { processMetrics } from '../support/process-metrics.ts';
import { describeRatios, median } from '../support/statistics.ts';
import { withWorkbench, type Workbench } from '../support/workbench.ts';
import { AMOUNT, ATTRIBUTES, EVENT_CODE, EVENTS_PER_BATCH, type OrderOptions } from './order-requests.ts';
import { createAccounts, createWorld, RULE, type World } from './world.ts';

/** The game of a service: missions on one code, with an expression each or none, in a campaign for an audience. */
export type Game = {
  readonly missions: number;
  readonly hasConditions: boolean;
  readonly audience: 'EVERYONE' | 'RULE';
  /** The expression of the RULE audience; {@link RULE} by default. */
  readonly rule?: string;
  /** The statistics that the events move. */
  readonly statistics?: readonly StatisticOfGame[];
  /** A level track over one of them. */
  readonly levelTrack?: object;
  /** An active leaderboard over one of them. */
  readonly leaderboard?: object;
  /** The streams of accounts that are open, each of another account. With a number the client has a feed of changes. */
  readonly listeners?: number;
};

/** A statistic of the events, without their code. */
export type StatisticOfGame = { readonly code: string; readonly aggregation: string; readonly period: string };

/** Missions of the comparison with and without expressions. */
export const CONDITIONS = 20;

const ACCOUNTS = 20_000;

/** An amount that completes a mission; no account reaches it, so that every event does the same work. */
const TARGET = 1_000_000_000;

/** Requests at a time. */
const CONNECTIONS = 4;

/** Seconds until the code is hot. */
const WARM_UP = 6;

/** A measurement, with microseconds of the service's processor time for each event. */
type Measured = { readonly perSecond: number; readonly micros: number };

type Player = {
  measure(seconds: number): Promise<Measured>;
  /** @throws Error unless every answered event is in the database exactly once */
  verify(): Promise<void>;
};

/** Two services that apply the same events, in turns, each on its own database. */
export function measureEvents(
  settings: Settings,
  games: Readonly<Record<'ours' | 'reference', Game>>,
): Promise<Result> {
  return withWorkbench('expressions-events', async (workbench) => {
    const reference = await playerOf(workbench, 'reference', games.reference);
    const ours = await playerOf(workbench, 'ours', games.ours);
    for (const player of [reference, ours]) await player.measure(WARM_UP);
    const turns = await inTurns(settings, reference.measure, ours.measure);
    for (const player of [reference, ours]) await player.verify();
    const rates = (side: keyof typeof turns) => turns[side].map(({ perSecond }) => perSecond);
    const micros = (side: keyof typeof turns) => turns[side].map((each) => each.micros);
    return {
      unit: 'events/s',
      ours: median(rates('ours')),
      reference: median(rates('reference')),
      details: {
        'ratio of a round': describeRatios(rates('ours'), rates('reference')),
        'service, processor time': `${whole(median(micros('ours')))} µs per event, against ${whole(median(micros('reference')))} µs`,
        'ratio of the processor time': describeRatios(micros('ours'), micros('reference')),
        verified: 'every answered event is in the database exactly once, on both sides',
      },
    };
  });
}

async function playerOf(workbench: Workbench, name: string, game: Game): Promise<Player> {
  const world = await createWorld(workbench, name);
  await createAccounts(world, ACCOUNTS, 1);
  await setUp(world, game);
  const streams = await listen(world, game);
  workbench.cleanUps.push(() => Promise.resolve(streams.forEach((stream) => stream.destroy())));
  const sourceOptions: OrderOptions = { apiKey: world.apiKey, accountCount: ACCOUNTS };
  const source = import.meta.resolve('./order-requests.ts');
  const load = await startLoad({ host: '127.0.0.1', port: world.port, source, sourceOptions });
  workbench.cleanUps.push(load.stop);
  let answered = 0;
  return {
    async measure(seconds) {
      const before = await processMetrics(world.baseUrl);
      const report: LoadReport = await load.run({ connections: CONNECTIONS, seconds });
      const spent = (await processMetrics(world.baseUrl)).processorSeconds - before.processorSeconds;
      const events = report.answered * EVENTS_PER_BATCH;
      answered += events;
      return { perSecond: report.perSecond * EVENTS_PER_BATCH, micros: (spent * 1e6) / events };
    },
    async verify() {
      if (streams.some(({ destroyed }) => destroyed)) throw new Error('A stream was lost.');
      const [row] = await world.db.systemUnitOfWork((uow) =>
        uow.query<{ progress: string; operations: string }>(
          'select (select sum(progress) from assignment) as progress, (select count(*) from operation) as operations',
        ),
      );
      const progress = answered * game.missions * AMOUNT;
      if (Number(row?.progress) === progress && Number(row?.operations) === answered) return;
      throw new Error(`${answered} events were answered in the world ${name}, but it has ${JSON.stringify(row)}.`);
    },
  };
}

/** Switches the feed on, and opens the streams. */
async function listen({ db, port, apiKey, admin }: World, { listeners }: Game): Promise<Socket[]> {
  if (listeners === undefined) return [];
  await admin('PUT', '/v1/change-feed', { keepDays: 30 });
  const accounts = await db.systemUnitOfWork((uow) =>
    uow.query<{ id: string }>('select id from account order by id limit $1', [listeners]),
  );
  const streams: Socket[] = [];
  for (const { id } of accounts) streams.push(await openStream(port, id, apiKey));
  return streams;
}

/** Defines the game of a service. */
export async function setUp({ db, databaseUrl, clientId, admin }: World, game: Game): Promise<void> {
  await admin('POST', '/admin/event-definitions', {
    programmaticCode: EVENT_CODE,
    type: 'AMOUNT',
    attributes: ATTRIBUTES,
  });
  for (const statistic of game.statistics ?? [])
    await admin('POST', '/admin/statistic-definitions', {
      statisticDefinition: { ...statistic, programmaticCode: EVENT_CODE },
    });
  if (game.levelTrack !== undefined) await admin('POST', '/admin/level-tracks', { levelTrack: game.levelTrack });
  if (game.leaderboard !== undefined) {
    const { id } = await admin('POST', '/admin/leaderboards', { leaderboard: game.leaderboard });
    await admin('POST', `/admin/leaderboards/${id}/activate`);
  }
  const { audience: kind, rule = RULE } = game;
  const audience = await admin('POST', '/admin/audiences', {
    name: 'Players',
    kind,
    ...(kind === 'RULE' && { expression: rule }),
  });
  const reward = await admin('POST', '/admin/rewards', { name: '10 points', type: 'POINTS', amount: 10 });
  const campaign = await admin('POST', '/admin/campaigns', {
    name: 'Orders',
    audienceIds: [audience.id],
    rewardIds: [reward.id],
    missions: Array.from({ length: game.missions }, (_, index) => ({
      type: 'MISSION',
      name: `Order often ${index}`,
      programmaticCode: EVENT_CODE,
      target: TARGET,
      conditions: game.hasConditions ? { expression: conditionOf(index) } : {},
    })),
  });
  await admin('POST', `/admin/campaigns/${campaign.id}/activate`);
  // Every account has progress, so that no event inserts it. Elsewhere the id of an assignment is derived by SHA-1, here any unique one
  // works.
  await db.systemUnitOfWork((uow) =>
    uow.query(
      `insert into assignment (client_id, account_id, mission_id, id, progress, status, started_at)
       select $1::uuid, ${accountIdSql('number')}, mission_id, md5(mission_id::text || number)::uuid, 0, 'ACTIVE', now()
         from generate_series(0, ${ACCOUNTS} - 1) as number, unnest($2::uuid[]) as mission_id`,
      [clientId, campaign.missions.map(({ id }) => id)],
    ),
  );
  await executeSql(databaseUrl, ['vacuum analyze assignment']);
}

/** An expression that every sent event fulfils; each mission has another one. */
function conditionOf(index: number): string {
  return `event.amount > ${index}.0 && event.category in ["tea","coffee"] && account.tier == "GOLD"`;
}
