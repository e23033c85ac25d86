import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { LeaderboardDefinitionSchema } from '../../../gen/laurel/admin/v1/leaderboard_admin_service_pb.ts';
import {
  Leaderboard_Order as Order,
  Leaderboard_Status as Status,
  LeaderboardPrize_Ties as Ties,
  type LeaderboardLeaguesSchema,
  type LeaderboardPrizeSchema,
  type LeaderboardSchema,
} from '../../../gen/laurel/v1/leaderboard_pb.ts';
import { StatisticDefinition_Period as Period } from '../../../gen/laurel/v1/statistic_pb.ts';
import type { Leagues } from '../../engine/leaderboards/leagues.ts';
import type { Prize } from '../../engine/leaderboards/prizes.ts';
import type { StatisticPeriod } from '../../engine/statistics/statistic-period.ts';
import { type PartOf, propertiesOf } from '../../persistence/columns-of.ts';
import { type LeaderboardEntity, leaderboardTable } from './leaderboard.entity.ts';

/** The columns of a leaderboard that reads show. */
export const LEADERBOARD = propertiesOf(leaderboardTable, [
  'id',
  'name',
  'description',
  'status',
  'statisticCode',
  'audienceIds',
  'rankOrder',
  'entriesShown',
  'displayNameAttribute',
  'lateHours',
  'prizes',
  'leagues',
  'activatedAt',
  'endedAt',
  'fillPass',
  'version',
  'createdAt',
  'updatedAt',
]);

/** A leaderboard as it is read. */
type Read = PartOf<LeaderboardEntity, typeof LEADERBOARD>;

/** The API message of a leaderboard for administrators. */
export function toDefinitionMessage(board: Read): MessageInitShape<typeof LeaderboardDefinitionSchema> {
  const { id, name, description, statisticCode, entriesShown, lateHours, version } = board;
  return {
    ...{ id, name, description, statisticCode, entriesShown, lateHours, version },
    status: Status[board.status],
    audienceIds: [...board.audienceIds],
    order: Order[board.rankOrder],
    displayNameAttribute: board.displayNameAttribute ?? undefined,
    prizes: board.prizes.map(toPrizeMessage),
    leagues: toLeaguesMessage(board.leagues),
    activatedAt: board.activatedAt ? timestampFromDate(board.activatedAt) : undefined,
    endedAt: board.endedAt ? timestampFromDate(board.endedAt) : undefined,
    filling: board.fillPass === 1,
    createdAt: timestampFromDate(board.createdAt),
    updatedAt: timestampFromDate(board.updatedAt),
  };
}

/** The API message of a leaderboard for apps. @param period the periods of its statistic */
export function toLeaderboardMessage(
  board: Read,
  period: StatisticPeriod | undefined,
): MessageInitShape<typeof LeaderboardSchema> {
  const { id, name, description, statisticCode, entriesShown } = board;
  return {
    ...{ id, name, description, statisticCode, entriesShown },
    status: Status[board.status],
    period: period === undefined ? Period.PERIOD_UNSPECIFIED : Period[period],
    order: Order[board.rankOrder],
    prizes: board.prizes.map(toPrizeMessage),
    leagues: toLeaguesMessage(board.leagues),
  };
}

function toLeaguesMessage(
  leagues: Leagues | null | undefined,
): MessageInitShape<typeof LeaderboardLeaguesSchema> | undefined {
  return leagues ? { ...leagues, names: [...leagues.names] } : undefined;
}

function toPrizeMessage({ ties, rewardIds, ...prize }: Prize): MessageInitShape<typeof LeaderboardPrizeSchema> {
  return { ...prize, rewardIds: [...rewardIds], ties: Ties[ties] };
}
