import { keptRows, movedRows } from '../persistence/subjects/merged-rows.ts';
import type { AccountPart } from '../persistence/subjects/account-part.ts';
import { rowsOfAccount } from '../persistence/subjects/rows-of-account.ts';
import { chestTable } from './chests/chest.entity.ts';
import { earnedRewardTable } from './delivery/earned-reward.entity.ts';
import { mergedRewards } from './delivery/merge-rewards.queries.ts';
import { fragmentBalanceTable } from './fragments/fragment-balance.entity.ts';

const ANONYMOUS = { kind: 'stays', why: 'What was won, under an id that names nobody any more.' } as const;

/** This module's data about an account. In an erasure `dropPendingRewards` deletes the pending rewards. */
export const rewardParts: readonly AccountPart[] = [
  rowsOfAccount({
    name: 'earnedRewards',
    table: earnedRewardTable,
    order: ['id'],
    without: ['webhookContext'],
    erasure: ANONYMOUS,
    merging: mergedRewards,
  }),
  rowsOfAccount({
    name: 'chests',
    table: chestTable,
    order: ['id'],
    erasure: ANONYMOUS,
    merging: movedRows(chestTable, { changedBy: 'a chest' }),
  }),
  rowsOfAccount({
    name: 'fragments',
    table: fragmentBalanceTable,
    order: ['productId'],
    erasure: ANONYMOUS,
    merging: keptRows(fragmentBalanceTable, { changedBy: 'a reward' }),
  }),
];
