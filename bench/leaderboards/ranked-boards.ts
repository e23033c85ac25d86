import { LOWEST_SCORE } from '../../src/leaderboards/ranks/ranks.queries.ts';
import { ATTRIBUTES, EVENT_CODE } from '../expressions/order-requests.ts';
import type { World } from '../expressions/world.ts';
import { accountIdOf, accountIdSql } from '../growth/accounts.ts';
import { executeSql } from '../support/execute-sql.ts';

/** Accounts on the measured boards. */
export const RANKED = Number(process.env['LAUREL_BENCH_RANKED'] ?? 1_000_000);

/** The statistic of the boards, without its event. */
export const SCORE = { code: 'spent', aggregation: 'SUM', period: 'ALL_TIME' } as const;

/** A board for everyone. */
export const BOARD = { name: 'Spending', statisticCode: SCORE.code };

/** Entries of a range, as splits leave them on average. */
const RANGE_ENTRIES = Math.max(384, RANKED / 8_000);

/** The value of an account that is neither the first nor the last: each account has another one. */
const VALUE = `((number::bigint * 7919) % ${RANKED} + 1)`;

/** The ids of a board, and of its run. */
export type RankedBoard = { readonly boardId: string; readonly runId: string };

/** Creates the event, the statistic, and a board on which each account has another value. @param prizes those of the board */
export async function setUpBoards(world: World, prizes: readonly object[] = []): Promise<RankedBoard> {
  const { admin, db, databaseUrl, clientId } = world;
  const statisticId = await setUpStatistic(world);
  const { id: boardId } = await admin('POST', '/admin/leaderboards', { leaderboard: { ...BOARD, prizes } });
  await admin('POST', `/admin/leaderboards/${boardId}/activate`);
  await admin('POST', '/gamification/triggers', {
    ...{ programmaticCode: EVENT_CODE, accountId: accountIdOf(0), metadata: { amount: 1 } },
  });
  const { run } = await admin<{ run: { id: string } }>('GET', `/v1/leaderboards/${boardId}`);
  await db.systemUnitOfWork(async (uow) => {
    await uow.query('update leaderboard set fill_pass = null, fill_due_at = null where client_id = $1', [clientId]);
    await uow.query(
      `insert into leaderboard_entry (client_id, account_id, statistic_id, period, run_id, score, reached_at, is_member, is_ranked)
       select $1::uuid, ${accountIdSql('number')}, $2::uuid, 0, $3::uuid, -${VALUE} * 10000, now(), true, true
         from generate_series(1, ${RANKED} - 1) as number`,
      [clientId, statisticId, run.id],
    );
    // The ranges that growth would have made.
    await uow.query(
      `insert into leaderboard_range (client_id, run_id, lower, entries)
       select $1, $2, case when bucket = min(bucket) over () then ${LOWEST_SCORE} else lower end, entries
         from (select (score / 10000 + ${RANKED}) / ${RANGE_ENTRIES} as bucket, min(score) as lower, count(*)::int as entries
                 from leaderboard_entry where client_id = $1 and run_id = $2 group by 1) b`,
      [clientId, run.id],
    );
    await uow.query('delete from leaderboard_delta where client_id = $1', [clientId]);
    await uow.query('update leaderboard_run set has_ranges = true where client_id = $1 and id = $2', [
      clientId,
      run.id,
    ]);
  });
  await executeSql(databaseUrl, ['vacuum analyze leaderboard_entry', 'vacuum analyze account_statistic']);
  return { boardId, runId: run.id };
}

/** Creates the event and the statistic, with a value of each account but the first. @returns the id of the statistic */
export async function setUpStatistic({ admin, db, clientId }: World): Promise<string> {
  await admin('POST', '/admin/event-definitions', {
    ...{ programmaticCode: EVENT_CODE, type: 'AMOUNT', attributes: ATTRIBUTES },
  });
  const statisticDefinition = { ...SCORE, programmaticCode: EVENT_CODE };
  const { id } = await admin('POST', '/admin/statistic-definitions', { statisticDefinition });
  await db.systemUnitOfWork((uow) =>
    uow.query(
      `insert into account_statistic (client_id, account_id, statistic_id, period, aggregation, value)
       select $1::uuid, ${accountIdSql('number')}, $2::uuid, 0, 'SUM', ${VALUE} from generate_series(1, ${RANKED} - 1) as number`,
      [clientId, id],
    ),
  );
  return id;
}

/**
 * Creates boards for audiences of equally many accounts: the account of a number is on the board of that number modulo `count`.
 * @returns the ids of the boards, in this order
 */
export async function setUpManyBoards(world: World, count: number): Promise<readonly string[]> {
  const { admin, db, databaseUrl, clientId } = world;
  const statisticId = await setUpStatistic(world);
  const { id: audienceId } = await admin('POST', '/admin/audiences', { name: 'Team 0', kind: 'MANUAL' });
  const leaderboard = { ...BOARD, audienceIds: [audienceId] };
  const { id: boardId } = await admin('POST', '/admin/leaderboards', { leaderboard });
  const idOf = (kind: string, number: string) => `md5('${kind} ' || ${number})::uuid`;
  await db.systemUnitOfWork(async (uow) => {
    const others = `generate_series(1, ${count} - 1) as number`;
    await uow.query(
      `insert into audience (client_id, id, name, description, kind, created_at, updated_at)
       select client_id, ${idOf('audience', 'number')}, 'Team ' || number, description, kind, created_at, updated_at
         from audience cross join ${others} where client_id = $1 and id = $2`,
      [clientId, audienceId],
    );
    await uow.query(
      `insert into leaderboard (client_id, id, name, status, statistic_code, audience_ids, rank_order, entries_shown, late_hours, prizes,
                                activated_at, created_at, updated_at)
       select client_id, ${idOf('board', 'number')}, 'Board ' || number, 'ACTIVE', statistic_code, array[${idOf('audience', 'number')}],
              rank_order, entries_shown, late_hours, prizes, now(), created_at, updated_at
         from leaderboard cross join ${others} where client_id = $1 and id = $2`,
      [clientId, boardId],
    );
    await uow.query(
      `insert into leaderboard_run (client_id, id, leaderboard_id, statistic_id, period, status, created_at)
       select client_id, md5(id::text)::uuid, id, $2, 0, 'OPEN', now() from leaderboard where client_id = $1`,
      [clientId, statisticId],
    );
    const member = `case when number % ${count} = 0 then $2::uuid else ${idOf('audience', `number % ${count}`)} end`;
    await uow.query(
      `insert into audience_member (client_id, audience_id, account_id, joined_at)
       select $1::uuid, ${member}, ${accountIdSql('number')}, now() from generate_series(0, ${RANKED} - 1) as number`,
      [clientId, audienceId],
    );
    const board = `case when number % ${count} = 0 then $3::uuid else ${idOf('board', `number % ${count}`)} end`;
    await uow.query(
      `insert into leaderboard_entry (client_id, account_id, statistic_id, period, run_id, score, reached_at, is_member, is_ranked)
       select $1::uuid, ${accountIdSql('number')}, $2::uuid, 0, md5((${board})::text)::uuid, -${VALUE} * 10000, now(), true, true
         from generate_series(1, ${RANKED} - 1) as number`,
      [clientId, statisticId, boardId],
    );
  });
  // Tells the service of all of them.
  await admin('POST', `/admin/leaderboards/${boardId}/activate`);
  await db.systemUnitOfWork((uow) =>
    uow.query('update leaderboard set fill_pass = null, fill_due_at = null where client_id = $1', [clientId]),
  );
  await executeSql(databaseUrl, ['vacuum analyze']);
  const rows = await db.unitOfWork(clientId, (uow) =>
    uow.query<{ id: string }>(
      `select case when number = 0 then $1::uuid else ${idOf('board', 'number')} end as id
         from generate_series(0, ${count} - 1) as number order by number`,
      [boardId],
    ),
  );
  return rows.map(({ id }) => id);
}

/** @throws Error unless exactly the answered events were applied: an item of a batch may be refused, and the batch is answered */
export async function verifyApplied({ db, clientId }: World, answered: number): Promise<void> {
  const [row] = await db.unitOfWork(clientId, (uow) =>
    uow.query<{ operations: number }>('select count(*)::int as operations from operation'),
  );
  if (row?.operations !== answered)
    throw new Error(`${answered} events were answered, but ${row?.operations} operations are stored.`);
}
