import { create } from '@bufbuild/protobuf';
import { useFormatter, useTranslations } from 'use-intl';
import { MissionSchema } from '../../../../../gen/laurel/v1/mission_pb.ts';
import { type CampaignValues, missionDraftOf, type MissionValues } from './campaign-values.ts';
import { useMissionSentences } from '../mission-sentence.ts';
import { useAudienceNames, useRewardNames } from '../use-names.ts';

/** The audiences, the period and the rewards of a campaign, in one line. */
export function useBasicsSummary(values: CampaignValues): string {
  const t = useTranslations('campaigns.summary');
  const format = useFormatter();
  const audienceName = useAudienceNames(values.audienceIds);
  const rewardName = useRewardNames(values.rewardIds);
  const day = (local: string) => format.dateTime(new Date(`${local}Z`), { dateStyle: 'medium', timeZone: 'UTC' });
  return [
    values.name,
    values.audienceIds.length === 0 ? t('noAudience') : format.list(values.audienceIds.map(audienceName)),
    values.startsAt === '' ? '' : t('from', { day: day(values.startsAt) }),
    values.endsAt === '' ? '' : t('until', { day: day(values.endsAt) }),
    values.rewardIds.length === 0 ? t('noReward') : format.list(values.rewardIds.map(rewardName)),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

/** The goal of a mission, in one line. */
export function useMissionSummary(): (mission: MissionValues) => string {
  const t = useTranslations('campaigns.summary');
  const sentencesOf = useMissionSentences();
  return (values) => {
    if (values.programmaticCode === '' || values.target === '') return t('unfinished');
    const { key: _key, ...draft } = missionDraftOf(values, 'UTC');
    return sentencesOf(create(MissionSchema, draft)).join(' ');
  };
}
