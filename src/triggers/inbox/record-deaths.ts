import { JournalEntry_Effect as Effect } from '../../../gen/laurel/admin/v1/journal_entry_pb.ts';
import { indexAccounts } from '../../accounts/account-index.ts';
import { selectAccounts } from '../../accounts/accounts.queries.ts';
import { writeJournal } from '../../journal/journal.queries.ts';
import { lookUpByKey } from '../../persistence/key-lookup.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { STORED_COLUMNS } from './inbox.queries.ts';
import type { StoredTrigger } from './waiting-trigger.ts';

type DeadRow = StoredTrigger & { readonly id: string; readonly errorCode: string | null };

/** Writes triggers that this transaction has made dead to the journal. Deaths are rare, so two statements are acceptable. */
export async function recordDeaths(uow: UnitOfWork, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const dead = await uow.query<DeadRow>(
    `select i.* from unnest($2::uuid[]) as wanted(id) cross join ${lookUpByKey({
      select: `id, ${STORED_COLUMNS}, error_code as "errorCode"`,
      from: 'trigger_inbox',
      key: { id: 'wanted.id' },
      and: 'dead_at is not null',
    })} i`,
    [uow.clientId, ids],
  );
  const named = (type: StoredTrigger['idType']) => dead.filter(({ idType }) => idType === type);
  const accounts = await selectAccounts(uow, {
    ids: named('INTERNAL').map(({ accountId }) => accountId),
    externalIds: named('EXTERNAL').map(({ accountId }) => accountId),
  });
  const { find } = indexAccounts(accounts);
  await writeJournal(
    uow,
    dead.map(({ id, idType, accountId, programmaticCode, operationId, occurredAt, errorCode }) => ({
      programmaticCode,
      occurredAt,
      effect: Effect.DEAD,
      accountId: find(idType === 'INTERNAL' ? { id: accountId } : { externalId: accountId })?.id,
      operationId: operationId ?? undefined,
      details: { deadTrigger: [id, errorCode ?? ''] },
    })),
    // No operation is stored for dead triggers.
    'byHash',
  );
}
