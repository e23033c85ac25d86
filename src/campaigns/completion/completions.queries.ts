import type { UnitOfWork } from '../../persistence/database.ts';
import { columnsOf } from '../../persistence/columns-of.ts';
import { insertInto } from '../../persistence/insert-into.ts';
import { batchedLookUp } from '../../persistence/batching/batched-look-up.ts';
import { lockedRows, lookUpByKey } from '../../persistence/key-lookup.ts';
import { campaignCompletionTable } from './campaign-completion.entity.ts';
import { countActivity } from '../../activity/activity-counts.ts';

/** The completion of all missions of one campaign by one account. */
export type Completion = {
  readonly accountId: string;
  readonly campaignId: string;
  /** Whether its rewards are delivered in this transaction; otherwise it waits for a claim. */
  readonly closed: boolean;
};

/** The key of a completion in a map. */
export function completionKey({ accountId, campaignId }: Pick<Completion, 'accountId' | 'campaignId'>): string {
  return `${accountId} ${campaignId}`;
}

/**
 * Records completions and returns the keys of the new ones. A campaign closes once for an account: the primary key decides, so other
 * completions must not be rewarded.
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

/** The completed and unclaimed campaigns of an account, including paused ones: the time of completion by campaign id. */
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

/** The look-up by account only: its completions are few, and the planner might otherwise choose the index of a campaign's completions. */
const BY_ACCOUNT = { key: { account_id: 'wanted.account_id' }, and: 'campaign_id = wanted.campaign_id' } as const;

/** The state of a completed campaign for an account. */
export type CompletionState = 'CLAIMABLE' | 'CLOSED';

/**
 * Reads the states of campaigns for accounts, by {@link completionKey}; campaigns that are not completed have no entry. The caller holds
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

/** Marks campaigns as claimed by accounts, whose locks the caller holds. */
export async function closeCompletions(uow: UnitOfWork, pairs: readonly Pair[], now: Date): Promise<void> {
  if (pairs.length === 0) return;
  countActivity(uow, { campaignsCompleted: pairs.length });
  await uow.query(
    `update campaign_completion c set closed_at = $4 from ${lockedRows({
      source: PAIRS,
      alias: 'wanted',
      table: 'campaign_completion',
      ...BY_ACCOUNT,
    })} where c.client_id = $1 and c.ctid = wanted.row_ctid`,
    [uow.clientId, pairs.map(({ accountId }) => accountId), pairs.map(({ campaignId }) => campaignId), now],
  );
}

/** Removes completions of accounts, whose locks the caller holds: the campaigns can be completed again. */
export async function reopenCompletions(uow: UnitOfWork, pairs: readonly Pair[]): Promise<void> {
  if (pairs.length === 0) return;
  await uow.query(
    `delete from campaign_completion c using ${lockedRows({
      source: PAIRS,
      alias: 'wanted',
      table: 'campaign_completion',
      ...BY_ACCOUNT,
    })} where c.client_id = $1 and c.ctid = wanted.row_ctid`,
    [uow.clientId, pairs.map(({ accountId }) => accountId), pairs.map(({ campaignId }) => campaignId)],
  );
}
