import type { Benchmark } from '../benchmark.ts';
import { COUNTED, measureCount, MEMBERS_IN } from '../expressions/count.ts';
import { type Game, measureEvents } from '../expressions/events.ts';
import { EVENT_CODE } from '../expressions/order-requests.ts';
import type { World } from '../expressions/world.ts';
import { accountIdSql } from '../growth/accounts.ts';
import { whole } from '../report.ts';
import { executeSql } from '../support/execute-sql.ts';
import { streakRisk } from './streak-risk.ts';

/** The statistic that audiences read. */
const ORDERS = { code: 'orders', aggregation: 'COUNT', period: 'ALL_TIME' } as const;

/** Tiers of the month's spending. Each account reaches the first ones in its first events. */
const TIERS = {
  code: 'tier',
  statisticCode: 'spent',
  downgrade: 'ONE',
  levels: [0, 10, 100, 1_000, 1_000_000].map((threshold, index) => ({ code: `tier_${index}`, threshold })),
};

const game: Game = { missions: 1, hasConditions: false, audience: 'EVERYONE' };

const statistics: readonly Benchmark[] = [
  {
    name: 'statistics:events',
    about:
      'Events applied per second that move three statistics and decide about a level, 200 in each REST request, against events that do neither.',
    aim: 0.8,
    run: (settings) =>
      measureEvents(settings, {
        ours: {
          ...game,
          statistics: [
            ORDERS,
            { code: 'spent', aggregation: 'SUM', period: 'MONTH' },
            { code: 'spent_today', aggregation: 'SUM', period: 'DAY' },
          ],
          levelTrack: TIERS,
        },
        reference: game,
      }),
  },
  {
    name: 'statistics:audience',
    about:
      'Events applied per second to a mission of an audience by a statistic, 200 in each REST request, against one of an EVERYONE audience.',
    aim: 0.9,
    run: (settings) =>
      measureEvents(settings, {
        ours: { ...game, audience: 'RULE', rule: 'account.statistics.orders >= 0.0', statistics: [ORDERS] },
        reference: { ...game, statistics: [ORDERS] },
      }),
  },
  {
    name: 'statistics:count',
    about: `Milliseconds to count an audience by a statistic over ${whole(COUNTED)} accounts, p50, against 2,000.`,
    aim: 1,
    lessIsBetter: true,
    run: (settings) => measureCount(settings, { expression: 'account.statistics.orders >= 3.0', prepare: giveOrders }),
  },
  ...streakRisk,
];

export default statistics;

/** Gives every {@link MEMBERS_IN}th account three orders, and one to the others. */
async function giveOrders({ admin, db, clientId, databaseUrl }: World): Promise<void> {
  await admin('POST', '/admin/event-definitions', { programmaticCode: EVENT_CODE, type: 'AMOUNT' });
  const statisticDefinition = { ...ORDERS, programmaticCode: EVENT_CODE };
  const { id } = await admin('POST', '/admin/statistic-definitions', { statisticDefinition });
  await db.systemUnitOfWork((uow) =>
    uow.query(
      `insert into account_statistic (client_id, account_id, statistic_id, period, aggregation, value)
       select $1::uuid, ${accountIdSql('number')}, $2::uuid, 0, 'COUNT', case when number % ${MEMBERS_IN} = 0 then 3 else 1 end
         from generate_series(0, ${COUNTED} - 1) as number`,
      [clientId, id],
    ),
  );
  await executeSql(databaseUrl, ['vacuum analyze account_statistic']);
}
