import type { AccountPart } from '../persistence/subjects/account-part.ts';
import { removeRows, unitedRows } from '../persistence/subjects/merged-rows.ts';
import { rowsOfAccount } from '../persistence/subjects/rows-of-account.ts';
import { accountOutlierTable } from './account-outlier.entity.ts';

/** This module's data about an account: where it was far above the usual. */
export const outlierParts: readonly AccountPart[] = [
  rowsOfAccount({
    name: 'outliers',
    table: accountOutlierTable,
    order: ['measure'],
    erasure: {
      kind: 'atOnce',
      erase: (uow, { accountId }) => removeRows(uow, accountOutlierTable.meta.tableName, [accountId]),
    },
    merging: unitedRows(accountOutlierTable, {
      key: ['measure'],
      onBoth: `hour = greatest(t.hour, excluded.hour), observed = greatest(t.observed, excluded.observed),
               usual = greatest(t.usual, excluded.usual)`,
    }),
  }),
];
