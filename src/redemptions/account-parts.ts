import type { AccountPart } from '../persistence/subjects/account-part.ts';
import { rowsOfAccount } from '../persistence/subjects/rows-of-account.ts';
import { redemptionTable } from './redemption.entity.ts';
import { eraseRedeemables } from './redemptions.queries.ts';

/** What this module keeps about an account: what it took and bought. */
export const redemptionParts: readonly AccountPart[] = [
  rowsOfAccount({
    name: 'redemptions',
    table: redemptionTable,
    order: ['id'],
    erasure: { kind: 'atOnce', erase: (uow, { accountId }) => eraseRedeemables(uow, accountId) },
  }),
];
