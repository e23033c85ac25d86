import { useTranslations } from 'use-intl';
import type { LeaderboardPlace } from '../../../../../gen/laurel/v1/leaderboard_pb.ts';

/** Writes the league of an account, with its group and its rank there. */
export function useLeagueWords(): (place: LeaderboardPlace) => string {
  const t = useTranslations('accounts');
  return ({ leagueName: league, group, rank, entries = 0 }) => {
    if (group === undefined) return league;
    return rank === undefined ? t('inGroup', { league, group }) : t('rankInGroup', { league, group, rank, entries });
  };
}
