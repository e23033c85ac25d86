import type { FormErrors } from '@mantine/form';
import { useTranslations } from 'use-intl';
import type { CampaignValues } from './campaign-values.ts';

/** Something without which a form is not taken. */
export type Missing = {
  /** The field. */
  readonly path: string;
  /** The words for the user that name the missing or invalid value. */
  readonly words: string;
};

const OF_CAMPAIGN = { name: 'name', audienceIds: 'audience', rewardIds: 'reward', endsAt: 'end' } as const;
const OF_MISSION = {
  name: 'missionName',
  programmaticCode: 'event',
  target: 'target',
  occurrences: 'occurrences',
  durationDays: 'duration',
  endsAt: 'missionEnd',
} as const;

/** Lists the missing parts of a campaign, in the order of the form: an audience, a target for 'Buy twice'. */
export function useMissing(values: CampaignValues, faults: FormErrors): readonly Missing[] {
  const t = useTranslations('campaigns.bar');
  const mission = useTranslations('campaigns')('mission', { number: 0 });

  function wordsOf(path: string): string {
    const [list, index, field = ''] = path.split('.');
    if (list !== 'missions')
      return list !== undefined && list in OF_CAMPAIGN ? t(OF_CAMPAIGN[list as 'name']) : t('other');
    const { name = '' } = values.missions[Number(index)] ?? {};
    const of = name === '' ? mission.replace('0', String(Number(index) + 1)) : t('quoted', { name });
    return field in OF_MISSION ? t(OF_MISSION[field as 'name'], { mission: of }) : t('missionOther', { mission: of });
  }

  const paths = Object.keys(faults).toSorted((one, other) => positionOf(one) - positionOf(other));
  return paths.map((path) => ({ path, words: wordsOf(path) }));
}

/** The position of a field in the form: the campaign before its missions, these in their order. */
function positionOf(path: string): number {
  const [list, index] = path.split('.');
  return list === 'missions' ? 1 + Number(index ?? 0) : 0;
}
