import { Stack, Text, Title } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { MissionValues } from './campaign-values.ts';
import { FeedItemPreview } from './feed-item-preview.tsx';
import { useRewardNames } from '../use-names.ts';

/** The feed as an account will have it, kept in sight while the campaign is written. */
export function FeedPreview({ missions }: { readonly missions: readonly MissionValues[] }) {
  const t = useTranslations('campaigns');
  const nameOf = useRewardNames(missions.flatMap(({ rewardIds }) => rewardIds));
  return (
    <Stack gap="sm" component="aside" pos="sticky" top={80} aria-label={t('preview')}>
      <div>
        <Title order={2}>{t('preview')}</Title>
        <Text size="sm" c="dimmed">
          {t('previewHint')}
        </Text>
      </div>
      {missions.map((mission) => (
        <FeedItemPreview key={mission.key} item={{ ...mission, rewards: mission.rewardIds.map(nameOf) }} />
      ))}
    </Stack>
  );
}
