import { CLIENT_ROW } from '../../persistence/client-row.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { lockedRows, lookUpByKey } from '../../persistence/key-lookup.ts';

/** A streak of an account. */
export type RiskKey = { readonly accountId: string; readonly missionId: string };

/** The next review of a run, to store. */
export type RiskRow = RiskKey & { readonly nextAt: Date };

/** The next review of a run, with the latest period that was announced. */
export type StoredRisk = RiskRow & { readonly warnedPeriod: number | undefined };

/** Stores the next reviews, and keeps what was announced. The caller has locked the accounts. @param rows one for each key */
export async function saveReviews(uow: UnitOfWork, rows: readonly RiskRow[]): Promise<void> {
  if (rows.length === 0) return;
  const sorted = rows.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  await uow.query(
    `insert into streak_risk as s (client_id, account_id, mission_id, next_at)
     select client_row.client_id, r.account_id, r.mission_id, r.next_at from ${CLIENT_ROW}
      cross join unnest($2::uuid[], $3::uuid[], $4::timestamptz[]) as r(account_id, mission_id, next_at)
     on conflict (client_id, account_id, mission_id) do update set next_at = excluded.next_at`,
    [
      uow.clientId,
      sorted.map(({ accountId }) => accountId),
      sorted.map(({ missionId }) => missionId),
      sorted.map(({ nextAt }) => nextAt),
    ],
  );
}

function keyOf({ accountId, missionId }: RiskKey): string {
  return `${accountId} ${missionId}`;
}

/** The first reviews that are due, by their times. */
export async function dueReviews(uow: UnitOfWork, now: Date, limit: number): Promise<StoredRisk[]> {
  const rows = await uow.query<RiskKey & { readonly nextAt: Date; readonly warnedPeriod: number | null }>(
    `select account_id as "accountId", mission_id as "missionId", next_at as "nextAt", warned_period as "warnedPeriod"
       from streak_risk where client_id = $1 and next_at <= $2
      order by client_id, next_at, account_id, mission_id limit $3`,
    [uow.clientId, now, limit],
  );
  return rows.map(({ warnedPeriod, ...row }) => ({ ...row, warnedPeriod: warnedPeriod ?? undefined }));
}

/** The present rows of these keys, as they are after the lock of their accounts. */
export async function reviewsFor(uow: UnitOfWork, keys: readonly RiskKey[]): Promise<StoredRisk[]> {
  const rows = await uow.query<RiskKey & { readonly nextAt: Date; readonly warnedPeriod: number | null }>(
    `select s.account_id as "accountId", s.mission_id as "missionId", s.next_at as "nextAt", s.warned_period as "warnedPeriod"
       from unnest($2::uuid[], $3::uuid[]) as k(account_id, mission_id) cross join ${lookUpByKey({
         select: 'account_id, mission_id, next_at, warned_period',
         from: 'streak_risk',
         key: { account_id: 'k.account_id', mission_id: 'k.mission_id' },
       })} s`,
    [uow.clientId, keys.map(({ accountId }) => accountId), keys.map(({ missionId }) => missionId)],
  );
  return rows.map(({ warnedPeriod, ...row }) => ({ ...row, warnedPeriod: warnedPeriod ?? undefined }));
}

/** The reviews of the runs of an account. */
export async function reviewsOf(uow: UnitOfWork, accountId: string): Promise<StoredRisk[]> {
  const rows = await uow.query<RiskKey & { readonly nextAt: Date; readonly warnedPeriod: number | null }>(
    `select account_id as "accountId", mission_id as "missionId", next_at as "nextAt", warned_period as "warnedPeriod"
       from ${lookUpByKey({
         select: 'account_id, mission_id, next_at, warned_period',
         from: 'streak_risk',
         key: { account_id: '$2::uuid' },
         many: true,
       })} own`,
    [uow.clientId, accountId],
  );
  return rows.map(({ warnedPeriod, ...row }) => ({ ...row, warnedPeriod: warnedPeriod ?? undefined }));
}

/** Stores the outcome of reviews. The caller has locked the accounts. */
export async function finishReviews(uow: UnitOfWork, rows: readonly StoredRisk[]): Promise<void> {
  if (rows.length === 0) return;
  await uow.query(
    `update streak_risk s set next_at = r.next_at, warned_period = r.warned_period
       from ${lockedRows({
         source:
           'unnest($2::uuid[], $3::uuid[], $4::timestamptz[], $5::int[]) as r(account_id, mission_id, next_at, warned_period)',
         alias: 'r',
         table: 'streak_risk',
         key: { account_id: 'r.account_id', mission_id: 'r.mission_id' },
       })}
      where s.client_id = $1 and s.ctid = r.row_ctid`,
    [
      uow.clientId,
      rows.map(({ accountId }) => accountId),
      rows.map(({ missionId }) => missionId),
      rows.map(({ nextAt }) => nextAt),
      rows.map(({ warnedPeriod }) => warnedPeriod ?? null),
    ],
  );
}

/** Makes the reviews of all runs of accounts due, because their periods may end earlier now. The caller has locked the accounts. */
export async function reviewAgain(uow: UnitOfWork, accountIds: readonly string[], now: Date): Promise<void> {
  if (accountIds.length === 0) return;
  await uow.query(
    `update streak_risk s set next_at = $3
       from (select own.row_ctid from unnest($2::uuid[]) as wanted(id) cross join ${lookUpByKey({
         select: 'ctid as row_ctid, next_at',
         from: 'streak_risk',
         key: { account_id: 'wanted.id' },
         many: true,
       })} own where own.next_at > $3) own
      where s.client_id = $1 and s.ctid = own.row_ctid`,
    [uow.clientId, [...new Set(accountIds)], now],
  );
}

/** The ids of the next accounts with reviews, in order. @param after the last one that the caller has */
export async function accountsWithReviews(uow: UnitOfWork, after: string, limit: number): Promise<string[]> {
  const rows = await uow.query<{ accountId: string }>(
    `select account_id as "accountId" from streak_risk
      where client_id = $1 and account_id > $2 order by client_id, account_id, mission_id limit $3`,
    [uow.clientId, after, limit],
  );
  return [...new Set(rows.map(({ accountId }) => accountId))];
}

/** Removes the reviews of runs that are over, or whose accounts are gone. */
export async function endReviews(uow: UnitOfWork, keys: readonly RiskKey[]): Promise<void> {
  if (keys.length === 0) return;
  await uow.query(
    `delete from streak_risk s using ${lockedRows({
      source: 'unnest($2::uuid[], $3::uuid[]) as r(account_id, mission_id)',
      alias: 'r',
      table: 'streak_risk',
      key: { account_id: 'r.account_id', mission_id: 'r.mission_id' },
    })} where s.client_id = $1 and s.ctid = r.row_ctid`,
    [uow.clientId, keys.map(({ accountId }) => accountId), keys.map(({ missionId }) => missionId)],
  );
}
