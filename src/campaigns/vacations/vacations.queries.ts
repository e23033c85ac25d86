import type { Vacation } from '../../engine/time/vacation.ts';
import { newId } from '../../kernel/ids.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { insertInto } from '../../persistence/insert-into.ts';
import { lockedRows, lookUpByKey } from '../../persistence/key-lookup.ts';
import { vacationTable } from './vacation.entity.ts';

/** A stored vacation. */
export type StoredVacation = Vacation & { readonly id: string };

/** The vacations of accounts, by account; no entry for an account without any. */
export async function vacationsOf(
  uow: UnitOfWork,
  accountIds: readonly string[],
): Promise<Map<string, StoredVacation[]>> {
  const rows = await uow.query<StoredVacation & { readonly accountId: string }>(
    `select v.account_id as "accountId", v.id, v.first_day as first, v.last_day as last
       from unnest($2::uuid[]) as wanted(id) cross join ${lookUpByKey({
         select: 'account_id, id, first_day, last_day',
         from: 'vacation',
         key: { account_id: 'wanted.id' },
         many: true,
       })} v`,
    [uow.clientId, [...new Set(accountIds)]],
  );
  return Map.groupBy(rows, ({ accountId }) => accountId);
}

const insertRows = insertInto(vacationTable);

/** Stores new vacations of a locked account. */
export async function insertVacations(
  uow: UnitOfWork,
  accountId: string,
  vacations: readonly Vacation[],
  now: Date,
): Promise<void> {
  if (vacations.length === 0) return;
  await insertRows(
    uow,
    vacations.map(({ first, last }) => ({ id: newId(), accountId, firstDay: first, lastDay: last, createdAt: now })),
  );
}

/** Stores other last days. */
export async function saveLastDays(uow: UnitOfWork, vacations: readonly StoredVacation[]): Promise<void> {
  if (vacations.length === 0) return;
  await uow.query(
    `update vacation v set last_day = r.last_day
       from ${lockedRows({
         source: 'unnest($2::uuid[], $3::int[]) as r(id, last_day)',
         alias: 'r',
         table: 'vacation',
         key: { id: 'r.id' },
       })} where v.client_id = $1 and v.ctid = r.row_ctid`,
    [uow.clientId, vacations.map(({ id }) => id), vacations.map(({ last }) => last)],
  );
}

/** Removes vacations. */
export async function deleteVacations(uow: UnitOfWork, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await uow.query(
    `delete from vacation v using ${lockedRows({
      source: 'unnest($2::uuid[]) as r(id)',
      alias: 'r',
      table: 'vacation',
      key: { id: 'r.id' },
    })} where v.client_id = $1 and v.ctid = r.row_ctid`,
    [uow.clientId, ids],
  );
}
