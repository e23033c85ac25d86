import { useTranslations } from 'use-intl';
import type { LeaderboardRun } from '../../../../gen/laurel/v1/leaderboard_pb.ts';
import { usePeriodName } from '../timeline/period-name.ts';

/** Writes the period of a run. */
export function useRunName(): (run: Pick<LeaderboardRun, 'periodKey'>) => string {
  const t = useTranslations('leaderboards');
  const periodName = usePeriodName();
  return ({ periodKey }) => (periodKey === undefined ? t('allTime') : periodName(periodKey));
}
