import type { AccountPart } from '../persistence/subjects/account-part.ts';
import { rowsOfAccount } from '../persistence/subjects/rows-of-account.ts';
import { erasureTable } from './erasure/account-erasure.entity.ts';
import { accountTable } from './account.entity.ts';

/** This module's data about an account. */
export const accountParts: readonly AccountPart[] = [
  rowsOfAccount({
    name: 'account',
    table: accountTable,
    column: 'id',
    order: [],
    erasure: {
      kind: 'stays',
      why: 'The row without e-mail, name, external id, zones and attributes, all of which go at once.',
    },
    merging: { kind: 'stays', why: 'The row of the merged account becomes an alias.' },
  }),
  rowsOfAccount({
    name: 'erasure',
    table: erasureTable,
    order: [],
    erasure: { kind: 'stays', why: 'That the account was erased, and when.' },
    merging: { kind: 'stays', why: 'An account that was erased cannot be merged.' },
  }),
];
