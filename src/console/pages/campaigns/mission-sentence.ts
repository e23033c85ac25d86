import type { Mission } from '../../../../gen/laurel/v1/mission_pb.ts';
import { useFormatter, useTranslations } from 'use-intl';
import { dayName, missionTypeName, periodName } from './mission-types.ts';

/** Says what a mission asks for, and under which conditions, in sentences for operators. */
export function useMissionSentences(): (mission: Mission) => readonly string[] {
  const t = useTranslations('campaigns.sentences');
  const days = useTranslations('campaigns.days');
  const format = useFormatter();

  return (mission) => {
    const { conditions, programmaticCode: code, target } = mission;
    const type = missionTypeName(mission.type);
    const period = t(`period.${periodName(mission.period)}`);
    const sentences = [
      t(type, {
        code,
        target,
        period,
        per: mission.perPeriodTarget ?? 1,
        occurrences: mission.occurrences ?? 0,
        days: mission.durationDays ?? 0,
      }),
    ];
    if (mission.gracePeriods > 0) sentences.push(t('grace', { count: mission.gracePeriods }));
    if (conditions?.minAmount !== undefined) sentences.push(t('minAmount', { amount: conditions.minAmount }));
    if (conditions?.maxAmount !== undefined) sentences.push(t('maxAmount', { amount: conditions.maxAmount }));
    if (conditions?.maxPerPeriod !== undefined) {
      sentences.push(t('maxPerPeriod', { amount: conditions.maxPerPeriod, period }));
    }
    if (conditions !== undefined && conditions.daysOfWeek.length > 0) {
      const names = conditions.daysOfWeek.map((day) => days(dayName(day)));
      sentences.push(t('days', { days: format.list(names) }));
    }
    if (conditions?.timeFrom !== undefined || conditions?.timeTo !== undefined) {
      sentences.push(t('hours', { from: conditions.timeFrom ?? '00:00', to: conditions.timeTo ?? '24:00' }));
    }
    const required = conditions?.prerequisiteMissionIds.length ?? 0;
    if (required > 0) sentences.push(t('prerequisites', { count: required }));
    return sentences;
  };
}
