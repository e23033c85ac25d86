import type { Database } from '../../src/persistence/database.ts';
import { accountIdSql } from '../growth/accounts.ts';
import { ACCOUNTS, chestIdSql, ownerSql, POINTS, type Side } from './numbers.ts';

/** Creates the accounts, each with points of one lot, by statements of many thousand rows. */
export async function populateAccounts(db: Database, clientId: string): Promise<void> {
  const id = accountIdSql('number');
  const numbers = `from generate_series(0, ${ACCOUNTS - 1}) as number`;
  const yesterday = `now() - interval '1 day'`;
  await db.systemUnitOfWork(async (uow) => {
    const insert = (sql: string) => uow.query(`insert into ${sql} ${numbers}`, [clientId]);
    await insert(`account (client_id, id) select $1::uuid, ${id}`);
    await insert(
      `point_entry (client_id, id, account_id, type, amount, balance_after, source_type, source_id, created_at)
       select $1::uuid, uuidv7(), ${id}, 'EARN', ${POINTS}, ${POINTS}, 'EARNED_REWARD', '1', ${yesterday}`,
    );
    await insert(
      `point_lot (client_id, id, account_id, amount, remaining, created_at)
       select $1::uuid, uuidv7(), ${id}, ${POINTS}, ${POINTS}, ${yesterday}`,
    );
    await insert(
      `point_balance (client_id, account_id, available, spent, lifetime_earned, last_entry_at)
       select $1::uuid, ${id}, ${POINTS}, 0, ${POINTS}, ${yesterday}`,
    );
  });
}

/** The numbers of rows for work that can be done once: `from` is included, `to` is not. */
export type Range = { readonly side: Side; readonly from: number; readonly to: number };

/** Adds closed chests to the inventories of their owners. */
export async function addChests(
  db: Database,
  clientId: string,
  definitionId: string,
  { side, from, to }: Range,
): Promise<void> {
  await db.systemUnitOfWork((uow) =>
    uow.query(
      `insert into chest (client_id, id, account_id, chest_id, earned_reward_id, created_at)
       select $1::uuid, ${chestIdSql(side, 'number')}, ${ownerSql('number')}, $2::uuid, uuidv7(), now()
         from generate_series($3::bigint, $4::bigint - 1) as number`,
      [clientId, definitionId, from, to],
    ),
  );
}

/** A campaign of one mission. */
export type Campaign = { readonly id: string; readonly missionId: string };

/** Adds completions of campaigns that wait for a claim: the mission of each and the campaign itself. */
export async function addCompletions(
  db: Database,
  clientId: string,
  campaigns: readonly Campaign[],
  { from, to }: Range,
): Promise<void> {
  const numbers = `from generate_series($2::bigint, $3::bigint - 1) as number`;
  const of = (array: string) => `(${array}::uuid[])[1 + number / ${ACCOUNTS}]`;
  await db.systemUnitOfWork(async (uow) => {
    await uow.query(
      // Elsewhere the id of an assignment is derived by SHA-1; here any unique id works.
      `insert into assignment (client_id, account_id, mission_id, id, progress, status, started_at, completed_at)
       select $1::uuid, ${ownerSql('number')}, ${of('$4')}, uuidv7(), 1, 'COMPLETED', now(), now() ${numbers}`,
      [clientId, from, to, campaigns.map(({ missionId }) => missionId)],
    );
    await uow.query(
      `insert into campaign_completion (client_id, account_id, campaign_id, completed_at)
       select $1::uuid, ${ownerSql('number')}, ${of('$4')}, now() ${numbers}`,
      [clientId, from, to, campaigns.map(({ id }) => id)],
    );
  });
}
