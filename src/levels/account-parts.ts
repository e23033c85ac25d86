import type { AccountPart } from '../persistence/subjects/account-part.ts';
import { unitedRows } from '../persistence/subjects/merged-rows.ts';
import { rowsOfAccount } from '../persistence/subjects/rows-of-account.ts';
import { accountLevelTable } from './accounts/account-level.entity.ts';

/** This module's data about an account. */
export const levelParts: readonly AccountPart[] = [
  rowsOfAccount({
    name: 'levels',
    table: accountLevelTable,
    order: ['trackId'],
    erasure: { kind: 'stays', why: 'Levels under an id that names nobody any more.' },
    merging: unitedRows(accountLevelTable, {
      key: ['trackId'],
      // The code is that of the account that stays: its next event announces another one.
      onBoth: `held_value = greatest(t.held_value, excluded.held_value), review_at = least(t.review_at, excluded.review_at),
               next_step_at = least(t.next_step_at, excluded.next_step_at),
               is_warned = t.is_warned and (excluded.review_at is null or t.review_at <= excluded.review_at),
               paid = t.paid || array(select p from unnest(excluded.paid) p where p <> all(t.paid))`,
      changedBy: 'an event',
    }),
  }),
];
