import { amountFromDecimal, optionalAmount } from '../../kernel/amount.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { batchedLookUp } from '../../persistence/batching/batched-look-up.ts';
import { lockedRows, lookUpByKey } from '../../persistence/key-lookup.ts';
import { columnsOf, type RowOf } from '../../persistence/columns-of.ts';
import { insertInto } from '../../persistence/insert-into.ts';
import { countActivity } from '../../activity/activity-counts.ts';
import { redemptionsById } from '../../redemptions/redemptions.queries.ts';
import { addToFeed } from '../../changes/collect-changes.ts';
import { pendingSettled, type Settled } from './pending-settled.ts';
import { rewardEarned } from './reward-earned.ts';
import { smallestNeedOf } from '../products/stock/queue.queries.ts';
import type { DeliveredReward, EarnedReward, EarnedRewardFields, WaitingReward } from './earned-reward.ts';
import { earnedRewardTable } from './earned-reward.entity.ts';
import { LISTED } from './listed-part.ts';

/**
 * Stores deliveries in one statement. Pending ones go to the end of the product's queue: the product is locked, so the last position
 * cannot change.
 */
export async function insertEarnedRewards(uow: UnitOfWork, deliveries: readonly EarnedReward[]): Promise<void> {
  countActivity(uow, { rewardsDelivered: deliveries.filter(({ status }) => status === 'DELIVERED').length });
  addToFeed(uow, () => deliveries.map(rewardEarned));
  const positions = await queuePositions(uow, deliveries);
  await insertRows(
    uow,
    deliveries.map((delivery, index) => ({
      ...delivery,
      redemptionId: delivery.redemption?.id,
      webhookContext: delivery.closing,
      queuePosition: positions[index],
    })),
  );
}

const insertRows = insertInto(earnedRewardTable, { default: ['amountReversed', 'amountOwed'] });

/** The next positions in the product's queue for pending deliveries, in their order; null for the others. */
async function queuePositions(uow: UnitOfWork, deliveries: readonly EarnedReward[]): Promise<(number | null)[]> {
  const waiting = deliveries.filter(({ status }) => status === 'PENDING_STOCK');
  if (waiting.length === 0) return deliveries.map(() => null);
  const productIds = [...new Set(waiting.flatMap(({ productId }) => productId ?? []))];
  const rows = await uow.query<{ id: string; last: string | null }>(
    `select wanted.id, (select max(queue_position) from earned_reward
                         where client_id = $1 and product_id = wanted.id and status = 'PENDING_STOCK') as last
       from unnest($2::uuid[]) as wanted(id)`,
    [uow.clientId, productIds],
  );
  const last = new Map<string | undefined, number>(rows.map((row) => [row.id, Number(row.last ?? 0)]));
  return deliveries.map(({ status, productId }) => {
    if (status !== 'PENDING_STOCK') return null;
    const position = (last.get(productId) ?? 0) + 1;
    last.set(productId, position);
    return position;
  });
}

/** The part of a product's queue to read. */
export type QueueQuery = {
  readonly productId: string;
  /** The maximum of units that a reward may need. */
  readonly units: number;
  readonly limit: number;
};

/**
 * The first earned rewards in the queue of a product that need at most so many units, without a lock. Later ones come after them.
 *
 * The query reads the first rewards for each number of units needed, and takes the first of all these: a long queue has few different
 * numbers. In the order of the queue alone, every reward that needs more units would be read again each time.
 */
export async function queueOf(
  uow: UnitOfWork,
  { productId, units, limit }: QueueQuery,
): Promise<{ id: string; accountId: string }[]> {
  const rows = await uow.query<{ id: string; account_id: string }>(
    `with recursive need(units) as (
       (select units_needed from ${smallestNeedOf('$2::uuid')} e)
       union all
       select (select units_needed from earned_reward
                where client_id = $1 and product_id = $2 and units_needed > need.units and status = 'PENDING_STOCK'
                order by units_needed limit 1)
         from need where need.units < $3::int
     )
     select e.id, e.account_id from need cross join lateral (
       select id, account_id, queue_position from earned_reward
        where client_id = $1 and product_id = $2 and units_needed between need.units and need.units
          and status = 'PENDING_STOCK'
        order by client_id, product_id, units_needed, queue_position limit $4
     ) e where need.units <= $3::int order by e.queue_position limit $4`,
    [uow.clientId, productId, units, limit],
  );
  return rows.map((row) => ({ id: row.id, accountId: row.account_id }));
}

/** The earned rewards of an account that wait for stock. */
export async function waitingOfAccount(
  uow: UnitOfWork,
  accountId: string,
): Promise<{ id: string; productId: string }[]> {
  const rows = await uow.query<{ id: string; product_id: string }>(
    `select e.* from ${lookUpByKey({
      select: 'id, product_id',
      from: 'earned_reward',
      key: { account_id: '$2::uuid' },
      many: true,
      and: `status = 'PENDING_STOCK' and product_id is not null`,
    })} e`,
    [uow.clientId, accountId],
  );
  return rows.map((row) => ({ id: row.id, productId: row.product_id }));
}

/**
 * The number of accounts that wait for a completion reward of a campaign. Reads the whole queues of these products.
 * @param productIds the products of the campaign's completion rewards
 */
export async function countWaitingAccounts(
  uow: UnitOfWork,
  { campaignId, productIds }: { readonly campaignId: string; readonly productIds: readonly string[] },
): Promise<number> {
  if (productIds.length === 0) return 0;
  const [row] = await uow.query<{ count: number }>(
    `select count(distinct e.account_id)::int as count from unnest($2::uuid[]) as wanted(id)
      cross join ${lookUpByKey({
        select: 'account_id',
        from: 'earned_reward',
        key: { product_id: 'wanted.id' },
        many: true,
        and: `status = 'PENDING_STOCK' and campaign_id = $3 and mission_id is null`,
      })} e`,
    [uow.clientId, productIds, campaignId],
  );
  return row!.count;
}

/** The rewards of `queue` that still wait, in the order of the queue; call it under the product's lock. */
export async function waitingAmong(
  uow: UnitOfWork,
  queue: readonly { readonly id: string }[],
): Promise<WaitingReward[]> {
  if (queue.length === 0) return [];
  const rows = await uow.query<EarnedRewardRow>(
    `select e.* from unnest($2::uuid[]) as wanted(id) cross join ${lookUpByKey({
      select: `${EARNED_COLUMNS}, queue_position`,
      from: 'earned_reward',
      key: { id: 'wanted.id' },
      and: `status = 'PENDING_STOCK'`,
    })} e order by e.queue_position`,
    [uow.clientId, queue.map(({ id }) => id)],
  );
  return rows.map(pendingFromRow);
}

/** Marks pending rewards as delivered, in one statement. */
export async function fulfilEarnedRewards(
  uow: UnitOfWork,
  deliveries: readonly DeliveredReward[],
  now: Date,
): Promise<void> {
  countActivity(uow, { rewardsDelivered: deliveries.length });
  if (deliveries.length === 0) return;
  addToFeed(uow, () => deliveries.map((each) => pendingSettled(each, 'DELIVERED', each.redemption)));
  await uow.query(
    `update earned_reward e
        set status = 'DELIVERED', delivered_at = $4, redemption_id = d.redemption_id, queue_position = null,
            units_needed = null
       from ${lockedRows({
         source: 'unnest($2::uuid[], $3::uuid[]) as d(id, redemption_id)',
         alias: 'd',
         table: 'earned_reward',
         key: { id: 'd.id' },
       })} where e.client_id = $1 and e.ctid = d.row_ctid`,
    [
      uow.clientId,
      deliveries.map((delivery) => delivery.id),
      deliveries.map((delivery) => delivery.redemption?.id ?? null),
      now,
    ],
  );
}

/** Deletes pending rewards: those of deleted accounts, and cancelled ones. */
export async function dropFromQueue(uow: UnitOfWork, rewards: readonly Settled[]): Promise<void> {
  if (rewards.length === 0) return;
  addToFeed(uow, () => rewards.map((each) => pendingSettled(each, 'CANCELLED')));
  await uow.query(
    `delete from earned_reward e using ${lockedRows({
      source: 'unnest($2::uuid[]) as d(id)',
      alias: 'd',
      table: 'earned_reward',
      key: { id: 'd.id' },
    })} where e.client_id = $1 and e.ctid = d.row_ctid and e.status = 'PENDING_STOCK'`,
    [uow.clientId, rewards.map(({ id }) => id)],
  );
}

/** All earned rewards of an account, latest first, with the units that it got. */
export async function earnedRewardsOfAccount(uow: UnitOfWork, accountId: string): Promise<EarnedReward[]> {
  return (await earnedRewards(uow, accountId)) ?? [];
}

const earnedRewards = batchedLookUp(async (uow, accountIds: readonly string[]) => {
  const rows = await rowsOfAccounts(uow, accountIds);
  return Map.groupBy(await deliveriesFromRows(uow, rows), ({ accountId }) => accountId);
});

/** The rows of some accounts, latest first. */
function rowsOfAccounts(uow: UnitOfWork, accountIds: readonly string[]): Promise<EarnedRewardRow[]> {
  return uow.query<EarnedRewardRow>(
    `select e.* from unnest($2::uuid[]) as wanted(id) cross join ${earnedBy('wanted.id')} e
      order by e.created_at desc, e.id desc`,
    [uow.clientId, accountIds],
  );
}

/** One earned reward, or undefined. */
export async function findEarnedReward(uow: UnitOfWork, id: string): Promise<EarnedReward | undefined> {
  const rows = await uow.query<EarnedRewardRow>(
    `select ${EARNED_COLUMNS} from earned_reward where client_id = $1 and id = $2`,
    [uow.clientId, id],
  );
  return (await deliveriesFromRows(uow, rows))[0];
}

/**
 * Locks closings with one webhook for all their rewards, and returns the rewards in the order of earning. Two transactions may deliver
 * or remove the last two pending rewards of one closing. Then the second waits here for the commit of the first and sees its changes,
 * so that exactly one of them finds no pending reward left. A deleted account has no row to lock instead.
 */
export async function lockedClosings(
  uow: UnitOfWork,
  closings: ReadonlyArray<Pick<EarnedReward, 'accountId' | 'campaignId'>>,
): Promise<EarnedReward[]> {
  const keys = new Map(closings.map((closing) => [`${closing.accountId} ${closing.campaignId}`, closing]));
  const names = [...keys.keys()].toSorted();
  await uow.query(
    `select pg_advisory_xact_lock(hashtextextended($1 || ' closing ' || name, 0))
       from unnest($2::text[]) with ordinality as closing(name, position) order by position`,
    [uow.clientId, names],
  );
  // A separate statement, because the snapshot of a statement is taken before it waits.
  const rows = await uow.query<EarnedRewardRow>(
    `select earned.* from unnest($2::uuid[], $3::uuid[]) as closing(account, campaign)
      cross join ${earnedBy(
        'closing.account',
        `campaign_id = closing.campaign and (webhook_context ->> 'together')::boolean`,
      )} earned
      order by earned.id`,
    [
      uow.clientId,
      names.map((name) => keys.get(name)!.accountId),
      names.map((name) => keys.get(name)!.campaignId ?? null),
    ],
  );
  return deliveriesFromRows(uow, rows);
}

async function deliveriesFromRows(uow: UnitOfWork, rows: readonly EarnedRewardRow[]): Promise<EarnedReward[]> {
  const redemptions = await redemptionsById(
    uow,
    rows.flatMap((row) => row.redemption_id ?? []),
  );
  return rows.map((row) =>
    row.status === 'DELIVERED' ? deliveredFromRow(row, redemptions.get(row.redemption_id ?? '')) : pendingFromRow(row),
  );
}

/** The columns of earned rewards that {@link earnedFromRow} and its callers read. */
export const EARNED_COLUMNS = columnsOf(earnedRewardTable, [
  ...LISTED,
  'assignmentId',
  'milestone',
  'levelTrackId',
  'leaderboardRunId',
  'webhookContext',
  'amountUnpaid',
  'amountReversed',
  'firstRound',
  'rounds',
  'status',
  'productId',
  'redemptionId',
  'deliveredAt',
  'unitsNeeded',
]);

/** A row of these columns. */
export type EarnedRewardRow = RowOf<typeof EARNED_COLUMNS>;

/** SQL for the earned rewards of an account. */
function earnedBy(accountId: string, and?: string): string {
  return lookUpByKey({
    select: EARNED_COLUMNS,
    from: 'earned_reward',
    key: { account_id: accountId },
    and,
    many: true,
  });
}

function deliveredFromRow(row: EarnedRewardRow, redemption: DeliveredReward['redemption']): DeliveredReward {
  return {
    ...earnedFromRow(row),
    status: 'DELIVERED',
    productId: row.product_id ?? undefined,
    redemption,
    deliveredAt: row.delivered_at!,
    unitsNeeded: undefined,
  };
}

function pendingFromRow(row: EarnedRewardRow): WaitingReward {
  return {
    ...earnedFromRow(row),
    status: 'PENDING_STOCK',
    productId: row.product_id!,
    redemption: undefined,
    deliveredAt: undefined,
    unitsNeeded: row.units_needed!,
  };
}

/** The fields that delivered and waiting rewards have. */
export function earnedFromRow(row: EarnedRewardRow): EarnedRewardFields {
  return {
    id: row.id,
    accountId: row.account_id,
    rewardId: row.reward_id,
    rewardType: row.reward_type,
    amount: amountFromDecimal(row.amount),
    amountUnpaid: optionalAmount(row.amount_unpaid),
    amountReversed: optionalAmount(row.amount_reversed),
    firstRound: row.first_round ?? undefined,
    rounds: row.rounds ?? undefined,
    campaignId: row.campaign_id ?? undefined,
    missionId: row.mission_id ?? undefined,
    assignmentId: row.assignment_id ?? undefined,
    milestone: row.milestone ?? undefined,
    levelTrackId: row.level_track_id ?? undefined,
    leaderboardRunId: row.leaderboard_run_id ?? undefined,
    closing: row.webhook_context ?? undefined,
    createdAt: row.created_at,
  };
}
