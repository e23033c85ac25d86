import { movedRows } from '../persistence/subjects/merged-rows.ts';
import type { AccountPart } from '../persistence/subjects/account-part.ts';
import { rowsOfAccount } from '../persistence/subjects/rows-of-account.ts';
import { redemptionTable } from './redemption.entity.ts';
import { eraseRedeemables } from './redemptions.queries.ts';

/** This module's data about an account: its delivered and bought products. */
export const redemptionParts: readonly AccountPart[] = [
  rowsOfAccount({
    name: 'redemptions',
    table: redemptionTable,
    order: ['id'],
    erasure: { kind: 'atOnce', erase: (uow, { accountId }) => eraseRedeemables(uow, accountId) },
    merging: movedRows(redemptionTable, { changedBy: 'a product' }),
  }),
];
