import type { Database, UnitOfWork } from '../../src/persistence/database.ts';
import { executeSql } from '../support/execute-sql.ts';
import { accountIdSql } from './accounts.ts';

/** The accounts of a database and their rows. */
export type Population = {
  readonly clientId: string;
  readonly accountCount: number;
  /** The missions; each account has an assignment for each of them. */
  readonly missionIds: readonly string[];
  readonly campaignId: string;
  readonly rewardId: string;
  /** MANUAL audiences, with the number of members, who are the first accounts. */
  readonly members: ReadonlyMap<string, number>;
};

/** Accounts in one transaction. */
const CHUNK = 20_000;

/** Transactions in parallel. */
const AT_ONCE = 2;

/** Points of every account: earned by one reward, spent, and available. */
export const POINTS = { earned: 50, spent: 20, available: 30 } as const;

/** Movements of points for each account: one EARN and four SPENDs. */
export const ENTRIES = 5;

/**
 * Fills the tables with years of events: for each account an assignment per mission, one earned reward, a ledger that agrees with its
 * balance, and memberships. It writes directly to the tables, with statements of many thousand rows.
 */
export async function populate(db: Database, databaseUrl: string, population: Population): Promise<void> {
  const { accountCount, missionIds } = population;
  if (missionIds.length === 0) throw new Error('A population needs missions.');
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < accountCount) {
      const first = next;
      next = Math.min(accountCount, first + CHUNK);
      const last = next - 1;
      await db.systemUnitOfWork((uow) => insertAccounts(uow, population, first, last));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await executeSql(databaseUrl, [`vacuum analyze ${TABLES.join(', ')}`]);
}

/** Tables to analyse. The table of operations is empty, and is left out: no service in use plans for an empty table. */
const TABLES = [
  'account',
  'assignment',
  'audience_member',
  'earned_reward',
  'point_balance',
  'point_entry',
  'point_lot',
];

async function insertAccounts(uow: UnitOfWork, population: Population, first: number, last: number): Promise<void> {
  const { clientId, missionIds, campaignId, rewardId, members } = population;
  const range = [clientId, first, last];
  await uow.query(`insert into account (client_id, id) select $1::uuid, ${ID} ${NUMBERS}`, range);
  // Elsewhere the id of an assignment is derived by SHA-1; here any unique id works.
  await uow.query(
    `insert into assignment (client_id, account_id, mission_id, id, progress, status, started_at)
     select $1::uuid, ${ID}, mission_id, md5(mission_id::text || number)::uuid, 0, 'ACTIVE', now() - interval '9 days'
       from generate_series($2::int, $3::int) as number, unnest($4::uuid[]) as mission_id`,
    [...range, missionIds],
  );
  await uow.query(
    `insert into earned_reward (client_id, id, account_id, reward_id, reward_type, amount, status, campaign_id,
                                created_at, delivered_at)
     select $1::uuid, uuidv7(), ${ID}, $4::uuid, 'POINTS', ${POINTS.earned}, 'DELIVERED', $5::uuid,
            ${timeOfEntry('1')}, ${timeOfEntry('1')} ${NUMBERS}`,
    [...range, rewardId, campaignId],
  );
  await insertLedger(uow, range);
  for (const [audienceId, count] of members) {
    await uow.query(
      `insert into audience_member (client_id, audience_id, account_id, joined_at)
       select $1::uuid, $4::uuid, ${ID}, now() - interval '9 days' ${NUMBERS} where number < $5`,
      [...range, audienceId, count],
    );
  }
}

async function insertLedger(uow: UnitOfWork, range: readonly unknown[]): Promise<void> {
  const { earned, spent, available } = POINTS;
  const step = spent / (ENTRIES - 1);
  await uow.query(
    `insert into point_entry (client_id, id, account_id, type, amount, balance_after, source_type, source_id, created_at)
     select $1::uuid, uuidv7(), ${ID}, case when entry = 1 then 'EARN' else 'SPEND' end,
            case when entry = 1 then ${earned} else -${step} end, ${earned} - ${step} * (entry - 1), 'REWARD', '1',
            ${timeOfEntry('entry')}
       from generate_series($2::int, $3::int) as number, generate_series(1, ${ENTRIES}) as entry`,
    range,
  );
  await uow.query(
    `insert into point_lot (client_id, id, account_id, amount, remaining, created_at)
     select $1::uuid, uuidv7(), ${ID}, ${earned}, ${available}, ${timeOfEntry('1')} ${NUMBERS}`,
    range,
  );
  await uow.query(
    `insert into point_balance (client_id, account_id, available, spent, lifetime_earned, last_entry_at)
     select $1::uuid, ${ID}, ${available}, ${spent}, ${earned}, ${timeOfEntry(String(ENTRIES))} ${NUMBERS}`,
    range,
  );
}

const ID = accountIdSql('number');

const NUMBERS = 'from generate_series($2::int, $3::int) as number';

/** A day for each entry, the last one yesterday. */
function timeOfEntry(entry: string): string {
  return `now() - (${ENTRIES + 1} - ${entry}) * interval '1 day'`;
}
