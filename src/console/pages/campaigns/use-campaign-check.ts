import { useTranslations } from 'use-intl';
import type { CampaignValues, MissionValues } from './campaign-values.ts';
import { missionTypes } from './mission-types.ts';

type Faults = Record<string, string | undefined>;

/** Tells, while a campaign is written, which of its fields do not go together. The service's own checks stay the last word. */
export function useCampaignCheck(): (values: CampaignValues) => Faults {
  const t = useTranslations('campaigns.faults');

  function ofMission(mission: MissionValues, path: string): Faults {
    const { conditions } = mission;
    const rules = missionTypes[mission.type];
    const { minAmount, maxAmount } = conditions;
    return {
      [`${path}.endsAt`]:
        mission.startsAt !== '' && mission.endsAt !== '' && mission.startsAt >= mission.endsAt
          ? t('endsBeforeStart')
          : undefined,
      [`${path}.durationDays`]:
        rules.needsWindow && mission.durationDays === '' && mission.endsAt === '' ? t('noWindow') : undefined,
      [`${path}.occurrences`]: rules.needsOccurrences && mission.occurrences === '' ? t('noOccurrences') : undefined,
      [`${path}.target`]: rules.isTargetInPeriods && !isWhole(mission.target) ? t('whole') : undefined,
      [`${path}.conditions.maxAmount`]:
        minAmount !== '' && maxAmount !== '' && minAmount > maxAmount ? t('maxBelowMin') : undefined,
    };
  }

  return ({ startsAt, endsAt, missions }) =>
    Object.assign(
      { endsAt: startsAt !== '' && endsAt !== '' && startsAt >= endsAt ? t('endsBeforeStart') : undefined },
      ...missions.map((mission, index) => ofMission(mission, `missions.${index}`)),
    ) as Faults;
}

function isWhole(value: number | ''): boolean {
  return value === '' || Number.isInteger(value);
}
