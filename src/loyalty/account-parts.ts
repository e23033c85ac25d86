import { mergePoints, separatePoints } from './merge-points.ts';
import { movedRows } from '../persistence/subjects/merged-rows.ts';
import type { AccountPart } from '../persistence/subjects/account-part.ts';
import { rowsOfAccount } from '../persistence/subjects/rows-of-account.ts';
import { pointBalanceTable } from './point-balance.entity.ts';
import { pointEntryTable } from './point-entry.entity.ts';
import { pointLotTable } from './point-lot.entity.ts';

const LEDGER = {
  kind: 'stays',
  why: 'The ledger, whose sums must stay true, under an id that names nobody any more; reasons are what operators wrote.',
} as const;

/** This module's data about an account. Spent points are in the entries; exported lots have only their remaining points. */
export const loyaltyParts: readonly AccountPart[] = [
  rowsOfAccount({
    name: 'points',
    table: pointBalanceTable,
    order: [],
    erasure: LEDGER,
    merging: { kind: 'joins', join: mergePoints, separate: separatePoints, changedBy: 'points' },
  }),
  rowsOfAccount({
    name: 'pointEntries',
    table: pointEntryTable,
    order: ['createdAt'],
    erasure: LEDGER,
    merging: {
      kind: 'stays',
      why: 'The history of each account is never changed; a line MERGE in both has the balance.',
    },
  }),
  rowsOfAccount({
    name: 'pointsLeft',
    table: pointLotTable,
    order: ['id'],
    only: 'remaining > 0',
    erasure: LEDGER,
    merging: movedRows(pointLotTable, { only: 'remaining > 0' }),
  }),
];
