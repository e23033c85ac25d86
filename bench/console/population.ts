import type { Database } from '../../src/persistence/database.ts';
import { accountIdSql } from '../growth/accounts.ts';

/** The client's accounts and catalogue for the rows. */
export type Population = {
  readonly clientId: string;
  readonly accountCount: number;
  readonly campaignIds: readonly string[];
  readonly missionIds: readonly string[];
  readonly rewardId: string;
  readonly productIds: readonly string[];
  readonly audienceId: string;
  readonly publicationId: string;
  readonly agreementId: string;
  readonly itemId: string;
};

/** Accounts in one transaction, and transactions in parallel. */
const CHUNK = 20_000;
const AT_ONCE = 2;

/**
 * Fills the tables with a year of campaigns. Each account has a campaign, two lines of its ledger, a delivery and a membership. One in
 * three has a purchase. One in ten has each of a waiting reward, a reservation, a code, a change by an operator, and a dead trigger. For
 * every second account the product and the campaign are the first ones.
 */
export async function populate(db: Database, population: Population): Promise<void> {
  const { accountCount } = population;
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < accountCount) {
      const first = next;
      next = Math.min(accountCount, first + CHUNK);
      await insertChunk(db, population, first, next - 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await db.systemUnitOfWork(async (uow) => {
    await uow.query('update product set waiting = $3 where client_id = $1 and id = $2', [
      population.clientId,
      population.productIds[0],
      Math.ceil(accountCount / 10),
    ]);
    await uow.query(
      `insert into statistic_hour (client_id, hour, events_applied, missions_completed, rewards_delivered, webhooks_delivered)
       select $1::uuid, date_trunc('hour', now()) - ago * interval '1 hour', 60000, 6000, 600, 600
         from generate_series(0, 400 * 24) as ago`,
      [population.clientId],
    );
  });
}

async function insertChunk(db: Database, population: Population, first: number, last: number): Promise<void> {
  const { clientId, accountCount } = population;
  const range = [clientId, first, last, accountCount];
  await db.systemUnitOfWork(async (uow) => {
    for (const { into, every = 1, values, of } of ROWS) {
      await uow.query(
        `insert into ${into} select ${values} from (
           select number, ${ID} as account_id, (($4::int - number) * interval '30 days' / $4::int) as ago,
                  uuidv7(-(($4::int - number) * interval '30 days' / $4::int)) as id
             from generate_series($2::int, $3::int) as number where number % ${every} = 0) account`,
        [...range, ...(of?.(population) ?? [])],
      );
    }
  });
}

const ID = accountIdSql('number');

/** One element of the array `$n`: the first one for every second account. */
const any = (parameter: number) =>
  `($${parameter}::uuid[])[case when number % 2 = 0 then 1 else 1 + number % cardinality($${parameter}::uuid[]) end]`;

/** The rows of one account in so many. */
type Rows = {
  readonly into: string;
  readonly every?: number;
  readonly values: string;
  /** The parameters from `$5`. */
  readonly of?: (population: Population) => readonly unknown[];
};

const ROWS: readonly Rows[] = [
  {
    into: 'account (client_id, id, external_id, email, name, created_at, updated_at)',
    values: `$1::uuid, account_id, 'user-' || number, 'person.' || number || '@example.com',
             (array['Ada', 'Lin', 'José', 'Ingrid', 'Wei'])[1 + number % 5] || ' ' || md5(number::text), now() - ago, now() - ago`,
  },
  {
    into: 'assignment (client_id, account_id, mission_id, id, progress, status, started_at, completed_at)',
    values: `$1::uuid, account_id, ${any(5)}, md5('a' || number)::uuid, 1, 'COMPLETED', now() - ago, now() - ago`,
    of: ({ missionIds }) => [missionIds],
  },
  {
    into: 'campaign_completion (client_id, account_id, campaign_id, completed_at, closed_at)',
    values: `$1::uuid, account_id, ${any(5)}, now() - ago, case when number % 10 = 1 then null else now() - ago end`,
    of: ({ campaignIds }) => [campaignIds],
  },
  {
    into: `earned_reward (client_id, id, account_id, reward_id, reward_type, amount, status, campaign_id, created_at, delivered_at)`,
    values: `$1::uuid, id, account_id, $5::uuid, 'POINTS', 50, 'DELIVERED', ${any(6)}, now() - ago, now() - ago`,
    of: ({ rewardId, campaignIds }) => [rewardId, campaignIds],
  },
  {
    into: `earned_reward (client_id, id, account_id, reward_id, reward_type, amount, status, campaign_id, created_at, product_id,
                          queue_position, units_needed)`,
    every: 10,
    values: `$1::uuid, id, account_id, $5::uuid, 'PRODUCTS', 1, 'PENDING_STOCK', ${any(6)}, now() - ago, $7::uuid, 1 + number, 1`,
    of: ({ rewardId, campaignIds, productIds }) => [rewardId, campaignIds, productIds[0]],
  },
  ...[1, 2].map((entry) => ({
    into: `point_entry (client_id, id, account_id, type, amount, balance_after, source_type, source_id, created_at)`,
    values: `$1::uuid, uuidv7(-ago + interval '${entry} s'), account_id, ${entry === 1 ? `'EARN', 50, 50` : `'SPEND', -20, 30`},
             'REWARD', '1', now() - ago + interval '${entry} s'`,
  })),
  {
    into: 'point_balance (client_id, account_id, available, spent, lifetime_earned, last_entry_at)',
    values: `$1::uuid, account_id, 30, 20, 50, now() - ago`,
  },
  {
    into: 'audience_member (client_id, audience_id, account_id, joined_at)',
    values: `$1::uuid, $5::uuid, account_id, now() - ago`,
    of: ({ audienceId }) => [audienceId],
  },
  {
    into: 'redemption (client_id, id, account_id, product_id, product_name, quantity, source, source_id, status, points_spent, created_at)',
    every: 3,
    values: `$1::uuid, id, account_id, ${any(5)}, 'Coffee', 1, 'MARKETPLACE', $6::uuid, 'COMPLETED', 20, now() - ago`,
    of: ({ productIds, publicationId }) => [productIds, publicationId],
  },
  {
    into: 'reservation (client_id, id, account_id, publication_id, agreement_id, quantity, status, created_at, expires_at)',
    every: 10,
    values: `$1::uuid, id, account_id, $5::uuid, $6::uuid, 1, 'EXPIRED', now() - ago, now() - ago`,
    of: ({ publicationId, agreementId }) => [publicationId, agreementId],
  },
  {
    into: 'product_code (client_id, id, product_id, item_id, code, created_at)',
    every: 10,
    values: `$1::uuid, id, $5::uuid, $6::uuid, md5('c' || number), now() - ago`,
    of: ({ productIds, itemId }) => [productIds[0], itemId],
  },
  {
    into: `webhook_delivery (client_id, id, message_id, type, method, target, attempt, attempted_at, outcome, status_code, duration_ms, body)`,
    values: `$1::uuid, id, uuidv7(), 'REWARDS', 'POST', 'https://shop.example.com/hook', 1, now() - ago,
             case when number % 10 = 0 then 'REFUSED' else 'DELIVERED' end, case when number % 10 = 0 then 500 else 200 end, 20,
             '{"accountId":"' || account_id || '"}'`,
  },
  {
    into: `audit_entry (client_id, id, actor_type, actor_name, operation, resource_type, resource_id, created_at)`,
    every: 10,
    values: `$1::uuid, id, 'USER', 'Operator', 'ACCOUNT_UPDATED', 'ACCOUNT', account_id::text, now() - ago`,
  },
  {
    into: `trigger_inbox (client_id, id, account_id, id_type, programmatic_code, occurred_at, accepted_at, attempts, dead_at, error_code,
                          error_message)`,
    every: 10,
    values: `$1::uuid, id, account_id::text, 'INTERNAL', 'EVENT_0', now() - ago, now() - ago, 5, now() - ago, 'ACCOUNT_NOT_FOUND', 'gone'`,
  },
];
