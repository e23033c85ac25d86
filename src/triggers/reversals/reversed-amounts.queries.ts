import { type Amount, amountFromDecimal } from '../../kernel/amount.ts';
import { columnsOf, type RowOf } from '../../persistence/columns-of.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { insertInto } from '../../persistence/insert-into.ts';
import { lookUpByKey } from '../../persistence/key-lookup.ts';
import { triggerReversalTable } from './trigger-reversal.entity.ts';

/** The amount that reversals have taken of the event of a journal entry. */
export type ReversedAmount = {
  /** The id of the journal entry. */
  readonly entryId: string;
  readonly accountId: string;
  readonly amount: Amount;
};

const COLUMNS = columnsOf(triggerReversalTable, ['batchId', 'entry', 'amount']);

/** The amounts that reversals have taken of these entries; entries without one are left out. The caller has locked the accounts. */
export async function reversedAmounts(uow: UnitOfWork, entryIds: readonly string[]): Promise<Map<string, Amount>> {
  if (entryIds.length === 0) return new Map();
  const keys = entryIds.map(keyOf);
  const rows = await uow.query<RowOf<typeof COLUMNS> & { readonly index: number }>(
    `select r.*, wanted.index::int
       from unnest($2::uuid[], $3::int[]) with ordinality as wanted(batch, entry, index)
      cross join ${lookUpByKey({
        select: COLUMNS,
        from: 'trigger_reversal',
        key: { batch_id: 'wanted.batch', entry: 'wanted.entry' },
      })} r`,
    [uow.clientId, keys.map(({ batchId }) => batchId), keys.map(({ entry }) => entry)],
  );
  return new Map(rows.map(({ index, amount }) => [entryIds[index - 1]!, amountFromDecimal(amount)]));
}

/** Saves the amounts, under the locks of the accounts. */
export async function saveReversedAmounts(
  uow: UnitOfWork,
  amounts: readonly ReversedAmount[],
  now: Date,
): Promise<void> {
  await saveRows(
    uow,
    amounts.map(({ entryId, accountId, amount }) => ({ ...keyOf(entryId), accountId, amount, reversedAt: now })),
  );
}

const saveRows = insertInto(triggerReversalTable, {
  shared: ['reversedAt'],
  conflict: { key: ['batchId', 'entry'], do: 'update' },
});

function keyOf(entryId: string): { readonly batchId: string; readonly entry: number } {
  const [batchId = '', entry] = entryId.split('.');
  return { batchId, entry: Number(entry) };
}
