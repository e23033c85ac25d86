import { useFormatter, useTranslations } from 'use-intl';
import { type CampaignValues, isEndless, type MissionValues } from './campaign-values.ts';
import { missionTypes } from '../mission-types.ts';

/** The largest target. */
const TARGET_MAX = 1_000_000_000;

type Faults = Record<string, string | undefined>;

/** Finds fields of a mission that contradict each other; a standalone ROUTINE needs no end. */
export function useMissionCheck(): (mission: MissionValues) => Faults {
  const ofMission = useFaultsOfMission();
  return (mission) => ({ ...ofMission(mission), occurrences: undefined });
}

/** Finds fields of a campaign that contradict each other. The service's own checks decide. */
export function useCampaignCheck(): (values: CampaignValues) => Faults {
  const t = useTranslations('campaigns.faults');
  const ofMission = useFaultsOfMission();
  return ({ startsAt, endsAt, missions }) =>
    Object.assign(
      { endsAt: startsAt !== '' && endsAt !== '' && startsAt >= endsAt ? t('endsBeforeStart') : undefined },
      ...missions.map((mission, index) =>
        Object.fromEntries(
          Object.entries(ofMission(mission)).map(([field, text]) => [`missions.${index}.${field}`, text]),
        ),
      ),
    ) as Faults;
}

/** The faults of one mission, by its fields. */
function useFaultsOfMission(): (mission: MissionValues) => Faults {
  const t = useTranslations('campaigns.faults');
  const range = useTranslations('rules');
  const format = useFormatter();

  function targetFault(mission: MissionValues): string | undefined {
    // The rule of the service lets it be left out, for endless streaks.
    const isMissing = (mission.target === '' || mission.target === 0) && !isEndless(mission);
    if (isMissing) return range('aboveUpTo', { number: format.number(0), second: format.number(TARGET_MAX) });
    const isInWholes = missionTypes[mission.type].isTargetInPeriods || mission.counts === 'EVENTS';
    return isInWholes && !isWhole(mission.target) ? t('whole') : undefined;
  }

  return (mission) => {
    const { conditions } = mission;
    const rules = missionTypes[mission.type];
    const { minAmount, maxAmount } = conditions;
    return {
      endsAt:
        mission.startsAt !== '' && mission.endsAt !== '' && mission.startsAt >= mission.endsAt
          ? t('endsBeforeStart')
          : undefined,
      durationDays:
        rules.needsWindow && mission.durationDays === '' && mission.endsAt === '' ? t('noWindow') : undefined,
      occurrences: rules.needsOccurrences && mission.occurrences === '' ? t('noOccurrences') : undefined,
      target: targetFault(mission),
      'conditions.maxAmount':
        minAmount !== '' && maxAmount !== '' && minAmount > maxAmount ? t('maxBelowMin') : undefined,
    };
  };
}

function isWhole(value: number | ''): boolean {
  return value === '' || Number.isInteger(value);
}
