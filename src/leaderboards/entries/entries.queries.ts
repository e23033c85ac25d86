import { newId } from '../../kernel/ids.ts';
import { CLIENT_ROW } from '../../persistence/client-row.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { lookUpByKey } from '../../persistence/key-lookup.ts';
import { valueOfKeySql } from '../../statistics/values/statistic-sql.ts';
import { numbered } from '../../persistence/numbered.ts';
import type { ListedEntry } from '../ranks/ranks.queries.ts';
import { waitForPlaces } from '../leagues/places.queries.ts';
import type { OpenRun } from '../runs/runs.queries.ts';
import { IS_LISTED } from './leaderboard-entry.entity.ts';
import { scoreSql } from './score-sql.ts';

/** An entry to bring to the present value of its account. */
export type StaleEntry = {
  readonly run: OpenRun;
  readonly accountId: string;
  /** The sign by which a value becomes a score: -1 if the highest is the best. */
  readonly sign: 1 | -1;
  /** Whether the statistic adds amounts up: then a value of 0 has no rank. */
  readonly isAdded: boolean;
  /** The time at which the value was reached, if it changed. For LAST the time of the last event counts instead. */
  readonly reachedAt: Date;
  readonly isLast: boolean;
  /** Whether the account is in the audiences; undefined if that stays as it is. */
  readonly isMember: boolean | undefined;
};

/**
 * Brings entries to the values of `account_statistic`, and appends the changes of listed scores for the ranges. Four statements at most. The
 * caller has locked the accounts and the runs.
 */
export async function refreshEntries(uow: UnitOfWork, entries: readonly StaleEntry[]): Promise<void> {
  const changes = await Promise.all([
    upsert(
      uow,
      entries.filter(({ isLast }) => !isLast),
      BY_VALUE,
    ),
    upsert(
      uow,
      entries.filter(({ isLast }) => isLast),
      BY_TIME,
    ),
  ]);
  const runs = new Map(entries.map(({ run }) => [run.id, run]));
  const moved = changes.flat();
  await waitForPlaces(
    uow,
    moved.filter(({ runId, scoreBefore, scoreAfter }) => {
      return runs.get(runId)!.hasLeagues && scoreBefore === null && scoreAfter !== null;
    }),
  );
  const deltas = new Map<string, Record<'before' | 'after', (string | null)[]>>();
  for (const { runId, scoreBefore, scoreAfter } of moved) {
    // A run without ranges counts arrivals, by which it gets ranges one day.
    if (scoreBefore === scoreAfter || !(runs.get(runId)!.hasRanges || scoreBefore === null)) continue;
    const { before, after } = deltas.getOrInsertComputed(runId, () => ({ before: [], after: [] }));
    before.push(scoreBefore);
    after.push(scoreAfter);
  }
  await insertDeltas(uow, deltas);
}

/** Appends one row for each run. PostgreSQL has no arrays of arrays with different lengths, so those of scores are sent as texts. */
async function insertDeltas(
  uow: UnitOfWork,
  deltas: ReadonlyMap<string, Readonly<Record<'before' | 'after', readonly (string | null)[]>>>,
): Promise<void> {
  if (deltas.size === 0) return;
  const literal = (scores: readonly (string | null)[]) => `{${scores.map((score) => score ?? 'NULL').join(',')}}`;
  const rows = [...deltas.values()];
  await uow.query(
    `insert into leaderboard_delta (client_id, run_id, id, scores_before, scores_after)
     select client_row.client_id, d.run_id, d.id, d.scores_before::bigint[], d.scores_after::bigint[]
       from ${CLIENT_ROW}
      cross join unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[]) as d(run_id, id, scores_before, scores_after)`,
    [
      uow.clientId,
      [...deltas.keys()],
      rows.map(() => newId()),
      rows.map(({ before }) => literal(before)),
      rows.map(({ after }) => literal(after)),
    ],
  );
}

/** The scores with which an account was and is listed; null if it was not, or is not. */
type Change = {
  readonly accountId: string;
  readonly runId: string;
  readonly scoreBefore: string | null;
  readonly scoreAfter: string | null;
};

/** How a time of reaching a value changes: with the value, or, for LAST, with the last event. */
type Rule = { readonly reachedAt: string; readonly isChanged: string };

const BY_VALUE: Rule = {
  reachedAt: 'case when e.score is distinct from excluded.score then excluded.reached_at else e.reached_at end',
  isChanged: 'false',
};

const BY_TIME: Rule = { reachedAt: 'excluded.reached_at', isChanged: 'e.reached_at <> excluded.reached_at' };

async function upsert(uow: UnitOfWork, entries: readonly StaleEntry[], rule: Rule): Promise<Change[]> {
  if (entries.length === 0) return [];
  const ids = numbered(entries.map(({ run }) => run.id));
  const byRun = new Map(entries.map((entry) => [entry.run.id, entry]));
  const runs = ids.distinct.map((id) => byRun.get(id)!);
  return uow.query<Change>(
    `insert into leaderboard_entry as e
            (client_id, account_id, statistic_id, period, run_id, score, reached_at, is_member, is_ranked, previous_score)
     select client_row.client_id, r.account_id, r.statistic_id, r.period, r.run_id, ${scoreSql('r.sign', 's.value')}, ${rule === BY_TIME ? 'coalesce(s.last_at, r.reached_at)' : 'r.reached_at'},
            r.is_member, s.value is not null and not (r.is_added and s.value = 0) and h.account_id is null, null
       from ${CLIENT_ROW}
      cross join (select s.account_id, s.reached_at, s.is_member, ($6::uuid[])[s.run] as run_id, ($7::uuid[])[s.run] as statistic_id,
                         ($8::int[])[s.run] as period, ($9::int[])[s.run] as sign, ($10::boolean[])[s.run] as is_added
                    from unnest($2::uuid[], $3::int[], $4::timestamptz[], $5::boolean[]) as s(account_id, run, reached_at, is_member)) r
       left join ${valueOfKeySql('r.account_id', 'r.statistic_id', 'r.period')} s on true
       left join ${lookUpByKey({
         select: 'account_id',
         from: 'hidden_account',
         key: { account_id: 'r.account_id' },
       })} h on true
     on conflict (client_id, account_id, statistic_id, period, run_id) do update
        set score = excluded.score, reached_at = ${rule.reachedAt},
            is_member = coalesce(excluded.is_member, e.is_member), is_ranked = excluded.is_ranked,
            previous_score = case when ${listed('e')} then e.score end
      where e.score is distinct from excluded.score or e.is_ranked <> excluded.is_ranked
         or e.is_member is distinct from coalesce(excluded.is_member, e.is_member) or ${rule.isChanged}
     returning e.account_id as "accountId", e.run_id as "runId", e.previous_score as "scoreBefore", case when ${listed('e')} then e.score end as "scoreAfter"`,
    [
      uow.clientId,
      entries.map(({ accountId }) => accountId),
      ids.numbers,
      entries.map(({ reachedAt }) => reachedAt),
      entries.map(({ isMember }) => isMember ?? null),
      ids.distinct,
      runs.map(({ run }) => run.statisticId),
      runs.map(({ run }) => run.period),
      runs.map(({ sign }) => sign),
      runs.map(({ isAdded }) => isAdded),
    ],
  );
}

function listed(alias: string): string {
  return IS_LISTED.replaceAll(/is_\w+/g, (column) => `${alias}.${column}`);
}

/** A key under which an account has entries: one for each run. */
export type EntryKey = { readonly accountId: string; readonly statisticId: string; readonly period: number };

/** The runs in which accounts have entries, by the key of their value; of any status. */
export async function runsOfEntries(
  uow: UnitOfWork,
  keys: readonly EntryKey[],
): Promise<Array<EntryKey & { readonly runId: string }>> {
  if (keys.length === 0) return [];
  const rows = await uow.query<{ index: number; runId: string }>(
    `select wanted.index::int, e.run_id as "runId"
       from unnest($2::uuid[], $3::uuid[], $4::int[]) with ordinality as wanted(account_id, statistic_id, period, index)
      cross join ${lookUpByKey({
        select: 'run_id',
        from: 'leaderboard_entry',
        key: { account_id: 'wanted.account_id', statistic_id: 'wanted.statistic_id', period: 'wanted.period' },
        many: true,
      })} e`,
    [
      uow.clientId,
      keys.map(({ accountId }) => accountId),
      keys.map(({ statisticId }) => statisticId),
      keys.map(({ period }) => period),
    ],
  );
  return rows.map(({ index, runId }) => ({ ...keys[index - 1]!, runId }));
}

/** The keys of all entries of accounts in open runs. */
export async function openEntriesOf(uow: UnitOfWork, accountIds: readonly string[]): Promise<EntryKey[]> {
  if (accountIds.length === 0) return [];
  return uow.query<EntryKey>(
    `select distinct wanted.id as "accountId", e.statistic_id as "statisticId", e.period
       from unnest($2::uuid[]) as wanted(id)
      cross join ${lookUpByKey({
        select: 'statistic_id, period, run_id',
        from: 'leaderboard_entry',
        key: { account_id: 'wanted.id' },
        many: true,
      })} e
      cross join ${lookUpByKey({
        select: '1',
        from: 'leaderboard_run',
        key: { id: 'e.run_id' },
        and: "status = 'OPEN'",
      })} r`,
    [uow.clientId, accountIds],
  );
}

/** The listed entries of accounts in a run, by the id of the account. */
export async function listedEntriesOf(
  uow: UnitOfWork,
  { id, statisticId, period }: Pick<OpenRun, 'id' | 'statisticId' | 'period'>,
  accountIds: readonly string[],
): Promise<Map<string, ListedEntry>> {
  if (accountIds.length === 0) return new Map();
  const rows = await uow.query<{ accountId: string; score: string; reachedAt: Date }>(
    `select wanted.id as "accountId", e.score, e.reached_at as "reachedAt"
       from unnest($2::uuid[]) as wanted(id)
      cross join ${lookUpByKey({
        select: 'score, reached_at, is_member, is_ranked',
        from: 'leaderboard_entry',
        key: { account_id: 'wanted.id', statistic_id: '$3::uuid', period: '$4::int', run_id: '$5::uuid' },
      })} e where ${IS_LISTED}`,
    [uow.clientId, [...new Set(accountIds)], statisticId, period, id],
  );
  return new Map(rows.map(({ score, ...row }) => [row.accountId, { ...row, score: BigInt(score) }]));
}

/** The listed entries of an account in some runs, by the id of the run. */
export async function entriesByRun(
  uow: UnitOfWork,
  accountId: string,
  runs: ReadonlyArray<Pick<OpenRun, 'id' | 'statisticId' | 'period'>>,
): Promise<Map<string, ListedEntry>> {
  if (runs.length === 0) return new Map();
  const rows = await uow.query<{ runId: string; score: string; reachedAt: Date }>(
    `select wanted.run_id as "runId", e.score, e.reached_at as "reachedAt"
       from unnest($3::uuid[], $4::int[], $5::uuid[]) as wanted(statistic_id, period, run_id)
      cross join ${lookUpByKey({
        select: 'score, reached_at, is_member, is_ranked',
        from: 'leaderboard_entry',
        key: {
          account_id: '$2::uuid',
          statistic_id: 'wanted.statistic_id',
          period: 'wanted.period',
          run_id: 'wanted.run_id',
        },
      })} e where ${IS_LISTED}`,
    [
      uow.clientId,
      accountId,
      runs.map(({ statisticId }) => statisticId),
      runs.map(({ period }) => period),
      runs.map(({ id }) => id),
    ],
  );
  return new Map(rows.map(({ runId, score, reachedAt }) => [runId, { accountId, reachedAt, score: BigInt(score) }]));
}
