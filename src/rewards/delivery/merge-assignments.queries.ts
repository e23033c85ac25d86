import type { UnitOfWork } from '../../persistence/database.ts';
import { lookUpByKey } from '../../persistence/key-lookup.ts';

/** An assignment of an account that has become another one. */
export type RenamedAssignment = {
  readonly from: string;
  /** The assignment that replaces it. */
  readonly to: string;
  /** Added to the numbers of the rounds that were paid, negative in an undo. */
  readonly roundsBefore: number;
};

/** Gives earned rewards of a locked account other assignments, because the account has become another one. */
export async function renameAssignments(
  uow: UnitOfWork,
  accountId: string,
  renamed: readonly RenamedAssignment[],
): Promise<void> {
  if (renamed.length === 0) return;
  await uow.query(
    `update earned_reward e set assignment_id = own.renamed, first_round = e.first_round + own.rounds_before
       from (select r.row_ctid, m.renamed, m.rounds_before from ${lookUpByKey({
         select: 'ctid as row_ctid, assignment_id',
         from: 'earned_reward',
         key: { account_id: '$2::uuid' },
         many: true,
       })} r join unnest($3::uuid[], $4::uuid[], $5::int[]) as m(id, renamed, rounds_before) on m.id = r.assignment_id) own
      where e.client_id = $1 and e.ctid = own.row_ctid`,
    [
      uow.clientId,
      accountId,
      renamed.map(({ from }) => from),
      renamed.map(({ to }) => to),
      renamed.map(({ roundsBefore }) => roundsBefore),
    ],
  );
}
