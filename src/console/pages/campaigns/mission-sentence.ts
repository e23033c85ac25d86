import { type Mission, Mission_Counts } from '../../../../gen/laurel/v1/mission_pb.ts';
import { useFormatter, useTranslations } from 'use-intl';
import { conditionNames, conditions as views } from './editor/conditions.ts';
import { type DayName, missionTypeName, periodName } from './mission-types.ts';

/** The goal and the conditions of a mission, in sentences for operators. */
export function useMissionSentences(): (mission: Mission) => readonly string[] {
  const t = useTranslations('campaigns.sentences');
  const ofConditions = useTranslations('conditions.sentences');
  const words = useTranslations('expressions');
  const days = useTranslations('campaigns.days');
  const format = useFormatter();

  return (mission) => {
    const { conditions, programmaticCode: code, target } = mission;
    const type = missionTypeName(mission.type);
    const period = t(`period.${periodName(mission.period)}`);
    const goal = mission.endless === true ? 'endless' : type;
    const sentences = [
      t(mission.counts === Mission_Counts.EVENTS ? `events.${goal}` : goal, {
        code,
        target,
        period,
        per: mission.perPeriodTarget ?? 1,
        occurrences: mission.occurrences ?? 0,
        days: mission.durationDays ?? 0,
      }),
    ];
    if (mission.repeat !== undefined) sentences.push(t('repeat', { max: mission.repeat.max ?? 0 }));
    if (mission.gracePeriods > 0) sentences.push(t('grace', { count: mission.gracePeriods }));
    for (const { length } of mission.milestones) sentences.push(t('milestone', { length, period }));
    if (conditions !== undefined) {
      const tools = { t: ofConditions, words, day: (day: DayName) => days(day), format, period };
      sentences.push(...conditionNames.flatMap((name) => views[name].sentence(conditions, tools) ?? []));
    }
    return sentences;
  };
}
