import type {
  LeaderboardDefinition,
  LeaderboardDraft,
} from '../../../../gen/laurel/admin/v1/leaderboard_admin_service_pb.ts';
import {
  Leaderboard_Order,
  type LeaderboardLeagues,
  LeaderboardPrize_Ties,
} from '../../../../gen/laurel/v1/leaderboard_pb.ts';
import { enumName } from '../../api/enum-name.ts';

/** The orders, the ends of prizes and the handlings of equal values, as the form lists them. */
export const orders = ['HIGHEST_FIRST', 'LOWEST_FIRST'] as const;
export const prizeEnds = ['RANK', 'SHARE'] as const;
export const ties = ['ALL', 'FIRST'] as const;

/** A prize in the form. */
export type PrizeEntry = {
  /** Of its row, for React. */
  readonly key: string;
  firstRank: number | '';
  /** Whether the last rank is a number or a share of all entries. */
  end: (typeof prizeEnds)[number];
  lastRank: number | '';
  /** In percent. */
  topShare: number | '';
  rewardIds: string[];
  ties: (typeof ties)[number];
  /** The number of the league; empty for the whole run. */
  league: string;
};

/** The fields of the form. */
export type LeaderboardValues = {
  name: string;
  description: string;
  statisticCode: string;
  audienceIds: string[];
  order: (typeof orders)[number];
  entriesShown: number | '';
  displayNameAttribute: string;
  lateHours: number | '';
  prizes: PrizeEntry[];
  hasLeagues: boolean;
  /** Kept while the leagues are switched off. */
  leagues: { names: string[]; groupSize: number | ''; promoted: number | ''; relegated: number | '' };
};

/** The fields of a new leaderboard, as the service would fill them in. */
export const newLeaderboardValues: LeaderboardValues = {
  name: '',
  description: '',
  statisticCode: '',
  audienceIds: [],
  order: 'HIGHEST_FIRST',
  entriesShown: 100,
  displayNameAttribute: '',
  lateHours: 24,
  prizes: [],
  hasLeagues: false,
  leagues: { names: [], groupSize: 30, promoted: 5, relegated: 5 },
};

/** A prize that begins at a rank. */
export function newPrize(firstRank: number): PrizeEntry {
  const ranks = { firstRank, end: 'RANK', lastRank: firstRank, topShare: '' } as const;
  return { key: String(Math.random()), ...ranks, rewardIds: [], ties: 'ALL', league: '' };
}

/** The rank after the last one that has a prize. */
export function rankAfter(prizes: readonly PrizeEntry[]): number {
  return Math.max(0, ...prizes.map(({ firstRank, lastRank }) => Number(lastRank) || Number(firstRank))) + 1;
}

/** The fields of a stored leaderboard. */
export function leaderboardValues(board: LeaderboardDefinition): LeaderboardValues {
  const { name, description, statisticCode, entriesShown, lateHours, leagues } = board;
  return {
    ...{ name, description, statisticCode, entriesShown, lateHours },
    audienceIds: [...board.audienceIds],
    order: enumName(Leaderboard_Order, board.order),
    displayNameAttribute: board.displayNameAttribute ?? '',
    prizes: board.prizes.map((prize) => ({
      key: String(Math.random()),
      firstRank: prize.firstRank ?? 1,
      end: prize.topShare === undefined ? 'RANK' : 'SHARE',
      lastRank: prize.lastRank ?? '',
      topShare: prize.topShare === undefined ? '' : percentOf(prize.topShare),
      rewardIds: [...prize.rewardIds],
      ties: enumName(LeaderboardPrize_Ties, prize.ties),
      league: prize.league === undefined ? '' : String(prize.league),
    })),
    hasLeagues: leagues !== undefined,
    leagues:
      leagues === undefined
        ? newLeaderboardValues.leagues
        : {
            names: [...leagues.names],
            groupSize: leagues.groupSize,
            promoted: leagues.promoted,
            relegated: leagues.relegated,
          },
  };
}

/** The request's part of the fields; also of unfinished ones. */
export function leaderboardDraft(values: LeaderboardValues): Omit<LeaderboardDraft, '$typeName'> {
  const { name, description, statisticCode, audienceIds, displayNameAttribute } = values;
  return {
    ...{ name, description, statisticCode, audienceIds },
    order: Leaderboard_Order[values.order],
    entriesShown: numberOf(values.entriesShown),
    displayNameAttribute: displayNameAttribute === '' ? undefined : displayNameAttribute,
    lateHours: values.hasLeagues ? 0 : numberOf(values.lateHours),
    leagues: values.hasLeagues ? leaguesOf(values.leagues) : undefined,
    prizes: values.prizes.map((prize) => {
      const { end, rewardIds } = prize;
      const topShare = numberOf(prize.topShare);
      return {
        $typeName: 'laurel.v1.LeaderboardPrize',
        firstRank: numberOf(prize.firstRank),
        lastRank: end === 'RANK' ? numberOf(prize.lastRank) : undefined,
        topShare: end === 'SHARE' && topShare !== undefined ? topShare / 100 : undefined,
        rewardIds,
        ties: LeaderboardPrize_Ties[prize.ties],
        league: values.hasLeagues && prize.league !== '' ? Number(prize.league) : undefined,
      };
    }),
  };
}

function leaguesOf({ names, groupSize, promoted, relegated }: LeaderboardValues['leagues']): LeaderboardLeagues {
  return {
    ...{ $typeName: 'laurel.v1.LeaderboardLeagues', names },
    groupSize: Number(groupSize),
    promoted: Number(promoted),
    relegated: Number(relegated),
  };
}

function numberOf(value: number | ''): number | undefined {
  return value === '' ? undefined : value;
}

/** A share in percent, without the digits that its conversion to a binary fraction adds. */
function percentOf(share: number): number {
  return Number((share * 100).toPrecision(12));
}
