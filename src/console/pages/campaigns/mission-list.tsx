import { Badge, Card, Group, List, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { type Campaign, Campaign_Status } from '../../../../gen/laurel/v1/campaign_pb.ts';
import type { Mission } from '../../../../gen/laurel/v1/mission_pb.ts';
import { FeedItemPreview } from './editor/feed-item-preview.tsx';
import { ImproveMission } from './improve-mission.tsx';
import { useMissionSentences } from './mission-sentence.ts';
import { missionTypeName, missionTypes, periodName } from './mission-types.ts';
import { useRewardNames } from './use-names.ts';

/** The missions of a stored campaign: their goals, and their preview for accounts. */
export function MissionList({ campaign }: { readonly campaign: Campaign }) {
  const t = useTranslations('campaigns');
  const rewardName = useRewardNames(campaign.missions.flatMap(({ rewardIds }) => rewardIds));
  // A draft is edited as a whole.
  const isPlayed = campaign.activatedAt !== undefined && campaign.status !== Campaign_Status.ENDED;
  return (
    <Stack gap="md" component="section">
      <Title order={2}>{t('missions')}</Title>
      {campaign.missions.map((mission) => (
        <Card key={mission.id}>
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
            <Stack gap="sm" align="flex-start">
              <MissionWords mission={mission} />
              {isPlayed && <ImproveMission mission={mission} version={campaign.version} />}
            </Stack>
            <FeedItemPreview
              item={{
                type: missionTypeName(mission.type),
                name: mission.name,
                description: mission.description,
                imageUrl: mission.imageUrl ?? '',
                target: mission.target,
                period: periodName(mission.period),
                rewards: mission.rewardIds.map(rewardName),
              }}
            />
          </SimpleGrid>
        </Card>
      ))}
    </Stack>
  );
}

function MissionWords({ mission }: { readonly mission: Mission }) {
  const t = useTranslations('campaigns');
  const sentencesOf = useMissionSentences();
  const [first, ...conditions] = sentencesOf(mission);
  const type = missionTypeName(mission.type);
  const { icon: Icon } = missionTypes[type];
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Badge size="lg" leftSection={<Icon size={14} />}>
          {t(`types.${type}`)}
        </Badge>
        <Title order={3}>{mission.name}</Title>
      </Group>
      <Text size="sm">{first}</Text>
      {conditions.length > 0 && (
        <List size="sm" c="dimmed" spacing={2}>
          {conditions.map((sentence) => (
            <List.Item key={sentence}>{sentence}</List.Item>
          ))}
        </List>
      )}
    </Stack>
  );
}
