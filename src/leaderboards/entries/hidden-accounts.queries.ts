import { CLIENT_ROW } from '../../persistence/client-row.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { lookUpByKey } from '../../persistence/key-lookup.ts';
import type { MergedPair } from '../../persistence/subjects/account-part.ts';

/** Whether an account is hidden from leaderboards. */
export async function isHidden(uow: UnitOfWork, accountId: string): Promise<boolean> {
  const rows = await uow.query('select from hidden_account where client_id = $1 and account_id = $2', [
    uow.clientId,
    accountId,
  ]);
  return rows.length > 0;
}

/** Hides an account, or shows it. The caller has locked it. @returns whether that changed anything */
export async function setHidden(uow: UnitOfWork, accountId: string, hidden: boolean, now: Date): Promise<boolean> {
  const rows = hidden
    ? await uow.query(
        `insert into hidden_account (client_id, account_id, hidden_at)
         select client_row.client_id, $2::uuid, $3::timestamptz from ${CLIENT_ROW}
         on conflict (client_id, account_id) do nothing returning 1`,
        [uow.clientId, accountId, now],
      )
    : await uow.query('delete from hidden_account where client_id = $1 and account_id = $2 returning 1', [
        uow.clientId,
        accountId,
      ]);
  return rows.length > 0;
}

/** Hides an account because one that is merged into it is hidden. Both are locked. */
export async function giveHidden(uow: UnitOfWork, { from, into }: MergedPair): Promise<void> {
  await uow.query(
    `insert into hidden_account (client_id, account_id, hidden_at)
     select client_row.client_id, $3::uuid, own.hidden_at
       from ${CLIENT_ROW}
      cross join ${lookUpByKey({ select: 'hidden_at', from: 'hidden_account', key: { account_id: '$2::uuid' } })} own
     on conflict (client_id, account_id) do nothing`,
    [uow.clientId, from, into],
  );
  await uow.query('delete from hidden_account where client_id = $1 and account_id = $2', [uow.clientId, from]);
}
