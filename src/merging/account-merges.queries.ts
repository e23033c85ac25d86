import type { UnitOfWork } from '../persistence/database.ts';
import { lookUpByKey } from '../persistence/key-lookup.ts';

/** Deletes the merges of an account that is being erased: those into it, and those of it. */
export async function removeMerges(uow: UnitOfWork, accountId: string): Promise<void> {
  for (const column of ['into_account_id', 'account_id'])
    await uow.query(
      `delete from account_merge m using ${lookUpByKey({
        select: 'ctid as row_ctid',
        from: 'account_merge',
        key: { [column]: '$2::uuid' },
        many: true,
      })} own where m.client_id = $1 and m.ctid = own.row_ctid`,
      [uow.clientId, accountId],
    );
}
