import type { UnitOfWork } from '../../persistence/database.ts';
import { batchedLookUp } from '../../persistence/batching/batched-look-up.ts';
import { probe } from '../../persistence/by-keys.ts';
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
  if (completions.length === 0) return new Set();
  const rows = await uow.query<{ account_id: string; campaign_id: string }>(
    `insert into campaign_completion (client_id, account_id, campaign_id, completed_at, closed_at)
     select $1::uuid, account_id, campaign_id, $5::timestamptz, case when closed then $5::timestamptz end
       from unnest($2::uuid[], $3::uuid[], $4::boolean[]) as c(account_id, campaign_id, closed)
     on conflict (client_id, account_id, campaign_id) do nothing
     returning account_id, campaign_id`,
    [
      uow.clientId,
      completions.map((completion) => completion.accountId),
      completions.map((completion) => completion.campaignId),
      completions.map((completion) => completion.closed),
      now,
    ],
  );
  const fresh = new Set(rows.map((row) => completionKey({ accountId: row.account_id, campaignId: row.campaign_id })));
  const closed = completions.filter((completion) => completion.closed && fresh.has(completionKey(completion)));
  countActivity(uow, { campaignsCompleted: closed.length });
  return fresh;
}

/** The campaigns that an account has completed and not claimed yet. */
export async function claimableCampaignIds(uow: UnitOfWork, accountId: string): Promise<Set<string>> {
  return (await claimableOf(uow, accountId)) ?? new Set();
}

const claimableOf = batchedLookUp(async (uow, accountIds: readonly string[]) => {
  const rows = await uow.query<{ account_id: string; campaign_id: string }>(
    `select c.* from unnest($2::uuid[]) as wanted(id) cross join ${probe({
      select: 'account_id, campaign_id',
      from: 'campaign_completion',
      key: { account_id: 'wanted.id' },
      and: 'closed_at is null',
      many: true,
    })} c`,
    [uow.clientId, accountIds],
  );
  const byAccount = Map.groupBy(rows, (row) => row.account_id);
  return new Map(byAccount.entries().map(([id, own]) => [id, new Set(own.map((row) => row.campaign_id))]));
});

/**
 * SQL for one completion, of the account `$2` and the campaign `$3`. By the account alone: its completions are few, and the
 * index of those of a campaign looks as good to the planner.
 */
function completionOf(select: string): string {
  return probe({ select, from: 'campaign_completion', key: { account_id: '$2' }, and: 'campaign_id = $3' });
}

/** Where an account stands with a campaign: undefined means that it has not completed it. */
export type CompletionState = 'CLAIMABLE' | 'CLOSED' | undefined;

/** Reads where an account stands with a campaign. The caller holds the account's lock. */
export async function completionState(
  uow: UnitOfWork,
  accountId: string,
  campaignId: string,
): Promise<CompletionState> {
  const [row] = await uow.query<{ closed: boolean }>(
    `select c.* from ${completionOf('closed_at is not null as closed')} c`,
    [uow.clientId, accountId, campaignId],
  );
  if (!row) return undefined;
  return row.closed ? 'CLOSED' : 'CLAIMABLE';
}

/** Notes that an account, whose lock the caller holds, has claimed a campaign. */
export async function closeCompletion(
  uow: UnitOfWork,
  accountId: string,
  campaignId: string,
  now: Date,
): Promise<void> {
  countActivity(uow, { campaignsCompleted: 1 });
  await uow.query(
    `update campaign_completion c set closed_at = $4 from ${completionOf('ctid as place')} held
      where c.client_id = $1 and c.ctid = held.place`,
    [uow.clientId, accountId, campaignId, now],
  );
}
