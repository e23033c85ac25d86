import type { AccountPart } from '../persistence/subjects/account-part.ts';
import { removeMerges } from './account-merges.queries.ts';
import { rowsOfAccount } from '../persistence/subjects/rows-of-account.ts';
import { accountMergeTable } from './account-merge.entity.ts';

/** This module's data about an account: the merges into it. */
export const mergingParts: readonly AccountPart[] = [
  rowsOfAccount({
    name: 'merges',
    table: accountMergeTable,
    column: 'into_account_id',
    order: ['id'],
    without: ['kept'],
    erasure: { kind: 'atOnce', erase: (uow, { accountId }) => removeMerges(uow, accountId) },
    merging: { kind: 'stays', why: 'They tell what was merged into each account.' },
  }),
];
