import type { UnitOfWork } from '../../persistence/database.ts';
import { columnsOf } from '../../persistence/columns-of.ts';
import { insertInto } from '../../persistence/insert-into.ts';
import { batchedLookUp } from '../../persistence/batching/batched-look-up.ts';
import { lockedRows, lookUpByKey } from '../../persistence/by-keys.ts';
import { campaignCompletionTable } from './campaign-completion.entity.ts';
import { countActivity } from '../../statistics/activity-counts.ts';

/** One account has completed all missions of one campaign. */
export type Completion = {
  readonly accountId: string;
  readonly campaignId: string;
  /** Its rewards are delivered in this transaction; else it waits to be claimed. */
  readonly closed: boolean;
};

/** How a completion is named among others. */
export function completionKey({ accountId, campaignId }: Pick<Completion, 'accountId' | 'campaignId'>): string {
  return `${accountId} ${campaignId}`;
}

/**
 * Records completions and gives the keys of those that are new. A campaign closes once for an account: the primary key
 * decides, so what is not new must not be rewarded.
 */
export async function recordCompletions(
  uow: UnitOfWork,
  completions: readonly Completion[],
  now: Date,
): Promise<Set<string>> {
  const rows = await insertRows(
    uow,
    completions.map(({ accountId, campaignId, closed }) => ({
      accountId,
      campaignId,
      completedAt: now,
      closedAt: closed ? now : null,
    })),
  );
  const fresh = new Set(rows.map((row) => completionKey({ accountId: row.account_id, campaignId: row.campaign_id })));
  const closed = completions.filter((completion) => completion.closed && fresh.has(completionKey(completion)));
  countActivity(uow, { campaignsCompleted: closed.length });
  return fresh;
}

const insertRows = insertInto(campaignCompletionTable, {
  shared: ['completedAt'],
  conflict: { key: ['accountId', 'campaignId'], do: 'nothing' },
  returning: columnsOf(campaignCompletionTable, ['accountId', 'campaignId']),
});

/** The campaigns that an account has completed and not claimed yet, those that are paused among them, by id, and when it completed them. */
export async function unclaimedCampaigns(uow: UnitOfWork, accountId: string): Promise<ReadonlyMap<string, Date>> {
  return (await unclaimedOf(uow, accountId)) ?? new Map();
}

const unclaimedOf = batchedLookUp(async (uow, accountIds: readonly string[]) => {
  const rows = await uow.query<{ account_id: string; campaign_id: string; completed_at: Date }>(
    `select c.* from unnest($2::uuid[]) as wanted(id) cross join ${lookUpByKey({
      select: 'account_id, campaign_id, completed_at',
      from: 'campaign_completion',
      key: { account_id: 'wanted.id' },
      and: 'closed_at is null',
      many: true,
    })} c`,
    [uow.clientId, accountIds],
  );
  const byAccount = Map.groupBy(rows, (row) => row.account_id);
  return new Map(
    byAccount.entries().map(([id, own]) => [id, new Map(own.map((row) => [row.campaign_id, row.completed_at]))]),
  );
});

/** An account and a campaign. */
export type Pair = Pick<Completion, 'accountId' | 'campaignId'>;

/** SQL for the pairs `$2`, `$3`. */
const PAIRS = 'unnest($2::uuid[], $3::uuid[]) as wanted(account_id, campaign_id)';

/** By the account alone: its completions are few, and the index of those of a campaign looks as good to the planner. */
const BY_ACCOUNT = { key: { account_id: 'wanted.account_id' }, and: 'campaign_id = wanted.campaign_id' } as const;

/** Where an account stands with a campaign. */
export type CompletionState = 'CLAIMABLE' | 'CLOSED';

/**
 * Reads where accounts stand with campaigns, by {@link completionKey}; without those that they have not completed. The caller holds
 * the accounts' locks.
 */
export async function completionStates(uow: UnitOfWork, pairs: readonly Pair[]): Promise<Map<string, CompletionState>> {
  if (pairs.length === 0) return new Map();
  const rows = await uow.query<{ account_id: string; campaign_id: string; closed: boolean }>(
    `select wanted.account_id, wanted.campaign_id, c.closed from ${PAIRS} cross join ${lookUpByKey({
      select: 'closed_at is not null as closed',
      from: 'campaign_completion',
      ...BY_ACCOUNT,
    })} c`,
    [uow.clientId, pairs.map(({ accountId }) => accountId), pairs.map(({ campaignId }) => campaignId)],
  );
  return new Map(
    rows.map(({ account_id: accountId, campaign_id: campaignId, closed }) => [
      completionKey({ accountId, campaignId }),
      closed ? 'CLOSED' : 'CLAIMABLE',
    ]),
  );
}

/** Notes that accounts, whose locks the caller holds, have claimed campaigns. */
export async function closeCompletions(uow: UnitOfWork, pairs: readonly Pair[], now: Date): Promise<void> {
  if (pairs.length === 0) return;
  countActivity(uow, { campaignsCompleted: pairs.length });
  await uow.query(
    `update campaign_completion c set closed_at = $4 from ${lockedRows({
      source: PAIRS,
      alias: 'wanted',
      table: 'campaign_completion',
      ...BY_ACCOUNT,
    })} where c.client_id = $1 and c.ctid = wanted.place`,
    [uow.clientId, pairs.map(({ accountId }) => accountId), pairs.map(({ campaignId }) => campaignId), now],
  );
}
