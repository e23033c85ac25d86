import type { AccountPart } from '../persistence/subjects/account-part.ts';
import { rowsOfAccount } from '../persistence/subjects/rows-of-account.ts';
import { pointBalanceTable } from './point-balance.entity.ts';
import { pointEntryTable } from './point-entry.entity.ts';
import { pointLotTable } from './point-lot.entity.ts';

const LEDGER = {
  kind: 'stays',
  why: 'The ledger, whose sums must stay true, under an id that names nobody any more; reasons are what operators wrote.',
} as const;

/** What this module keeps about an account. Points that were spent are in the entries: only what is left of the lots is given. */
export const loyaltyParts: readonly AccountPart[] = [
  rowsOfAccount({ name: 'points', table: pointBalanceTable, order: [], erasure: LEDGER }),
  rowsOfAccount({ name: 'pointEntries', table: pointEntryTable, order: ['createdAt'], erasure: LEDGER }),
  rowsOfAccount({
    name: 'pointsLeft',
    table: pointLotTable,
    order: ['id'],
    only: 'remaining > 0',
    erasure: LEDGER,
  }),
];
