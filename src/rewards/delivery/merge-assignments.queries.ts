import type { UnitOfWork } from '../../persistence/database.ts';
import { lookUpByKey } from '../../persistence/key-lookup.ts';

/**
 * Gives earned rewards of a locked account other assignments, because the account has become another one.
 * @param renamed the ids of the assignments, each with the one that replaces it
 */
export async function renameAssignments(
  uow: UnitOfWork,
  accountId: string,
  renamed: readonly (readonly [from: string, to: string])[],
): Promise<void> {
  if (renamed.length === 0) return;
  await uow.query(
    `update earned_reward e set assignment_id = own.renamed
       from (select r.row_ctid, m.renamed from ${lookUpByKey({
         select: 'ctid as row_ctid, assignment_id',
         from: 'earned_reward',
         key: { account_id: '$2::uuid' },
         many: true,
       })} r join unnest($3::uuid[], $4::uuid[]) as m(id, renamed) on m.id = r.assignment_id) own
      where e.client_id = $1 and e.ctid = own.row_ctid`,
    [uow.clientId, accountId, renamed.map(([from]) => from), renamed.map(([, to]) => to)],
  );
}
