import type { AccountPart } from '../persistence/subjects/account-part.ts';
import { keptRows, unitedRows } from '../persistence/subjects/merged-rows.ts';
import { rowsOfAccount } from '../persistence/subjects/rows-of-account.ts';
import { hiddenAccountTable } from './entries/hidden-account.entity.ts';
import { giveHidden, isHidden } from './entries/hidden-accounts.queries.ts';
import { leaderboardEntryTable } from './entries/leaderboard-entry.entity.ts';
import { leaderboardPlaceTable } from './leagues/leaderboard-place.entity.ts';
import { leaderboardStandingTable } from './leagues/leaderboard-standing.entity.ts';
import { aggregationsById, rankAgain } from './entries/rank-accounts.ts';

const hidden = keptRows(hiddenAccountTable);

/** This module's data about an account. */
export const leaderboardParts: readonly AccountPart[] = [
  rowsOfAccount({
    name: 'hiddenFromLeaderboards',
    table: hiddenAccountTable,
    order: [],
    erasure: { kind: 'stays', why: 'A moment under an id that names nobody any more.' },
    merging: {
      ...hidden,
      async join(uow, pair) {
        const kept = await hidden.join(uow, pair);
        if (await isHidden(uow, pair.from)) await giveHidden(uow, pair);
        return kept;
      },
    },
  }),
  rowsOfAccount({
    name: 'leaderboardGroups',
    table: leaderboardPlaceTable,
    order: ['runId'],
    erasure: { kind: 'stays', why: 'Numbers of groups and ranks under an id that names nobody any more.' },
    merging: {
      kind: 'stays',
      why: 'The account has no rank in its group any more. The other one keeps its group, or gets one with its next rank.',
    },
  }),
  rowsOfAccount({
    name: 'leagues',
    table: leaderboardStandingTable,
    order: ['leaderboardId'],
    erasure: { kind: 'stays', why: 'Numbers of leagues under an id that names nobody any more.' },
    merging: unitedRows(leaderboardStandingTable, {
      key: ['leaderboardId'],
      onBoth: 'league = greatest(t.league, excluded.league)',
    }),
  }),
  rowsOfAccount({
    name: 'leaderboardEntries',
    table: leaderboardEntryTable,
    order: ['statisticId', 'period', 'runId'],
    erasure: { kind: 'stays', why: 'Scores under an id that names nobody any more. It is on no leaderboard.' },
    merging: {
      kind: 'joins',
      join: () => Promise.resolve(null),
      separate: () => Promise.resolve(),
      // Entries follow the values of statistics, which have been joined or separated by then.
      settle: async (uow, { from, into }, now) => rankAgain(uow, [from, into], await aggregationsById(uow), now),
    },
  }),
];
