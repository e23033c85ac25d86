import { assignmentId } from '../../engine/assignment.ts';
import type { RuleCatalog } from '../../engine/catalog.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import type { MergedPair } from '../../persistence/subjects/account-part.ts';
import { lockedRows, lookUpByKey } from '../../persistence/key-lookup.ts';

/** SQL for the keys of the assignments of account `$2`. */
const KEYS = lookUpByKey({
  select: 'id, mission_id, period_key, ctid as row_ctid',
  from: 'assignment',
  key: { account_id: '$2::uuid' },
  many: true,
});

/** Deletes the assignments of a locked account whose missions are in the catalogue, because another account has them now. */
export async function removeAssignments(uow: UnitOfWork, { missions }: RuleCatalog, accountId: string): Promise<void> {
  const rows = await uow.query<{ mission_id: string }>(`select distinct mission_id from ${KEYS} own`, [
    uow.clientId,
    accountId,
  ]);
  const known = rows.flatMap(({ mission_id: id }) => (missions.has(id) ? [id] : []));
  await uow.query(
    `delete from assignment a using (select row_ctid from ${KEYS} own where mission_id = any($3::uuid[])) own
      where a.client_id = $1 and a.ctid = own.row_ctid`,
    [uow.clientId, accountId, known],
  );
}

/** The key of an assignment of one account. */
export type AssignmentRowKey = { readonly id: string; readonly mission_id: string; readonly period_key: string };

/** The assignments of an account of which another one has none. */
export async function assignmentsOnlyOf(
  uow: UnitOfWork,
  accountId: string,
  other: string,
): Promise<AssignmentRowKey[]> {
  return uow.query<AssignmentRowKey>(
    `select own.id, own.mission_id, own.period_key from ${KEYS} own
      where not exists (select from assignment b where b.client_id = $1 and b.account_id = $3
                          and b.mission_id = own.mission_id and b.period_key = own.period_key)`,
    [uow.clientId, accountId, other],
  );
}

/**
 * Gives assignments of a locked account to another one.
 * @returns their ids, each with the new one
 */
export async function moveAssignments(
  uow: UnitOfWork,
  { from, into }: MergedPair,
  rows: readonly AssignmentRowKey[],
): Promise<(readonly [from: string, to: string])[]> {
  const renamed = rows.map((row) => [row.id, assignmentId(row.mission_id, into, row.period_key)] as const);
  if (rows.length === 0) return [];
  const key = { account_id: '$5::uuid', mission_id: 'm.mission_id', period_key: 'm.period_key' };
  await uow.query(
    `update assignment a set account_id = $6, id = m.renamed
       from ${lockedRows({
         source: 'unnest($2::uuid[], $3::text[], $4::uuid[]) as m(mission_id, period_key, renamed)',
         alias: 'm',
         table: 'assignment',
         key,
       })} where a.client_id = $1 and a.ctid = m.row_ctid`,
    [
      uow.clientId,
      rows.map((row) => row.mission_id),
      rows.map((row) => row.period_key),
      renamed.map(([, to]) => to),
      from,
      into,
    ],
  );
  return renamed;
}
