import { useMutation, useQuery } from '@connectrpc/connect-query';
import { Button, Card, Group, List, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { CircleStop, Pencil } from 'lucide-react';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import { MissionAdminService } from '../../../../../gen/laurel/admin/v1/mission_admin_service_pb.ts';
import { Permission } from '../../../../../gen/laurel/auth/v1/options_pb.ts';
import type { Mission } from '../../../../../gen/laurel/v1/mission_pb.ts';
import { failureOfQuery } from '../../../api/failure.ts';
import { FailureAlert } from '../../../feedback/failure-alert.tsx';
import { notifyDone } from '../../../feedback/notify.tsx';
import { useConfirm } from '../../../feedback/use-confirm.ts';
import { NameLink } from '../../../names/name-link.tsx';
import { Allowed } from '../../../session/allowed.tsx';
import { Facts } from '../../../shell/facts.tsx';
import { Page } from '../../../shell/page.tsx';
import { PageSkeleton } from '../../../shell/page-skeleton.tsx';
import { FeedItemPreview } from '../editor/feed-item-preview.tsx';
import { ImproveMission } from '../improve-mission.tsx';
import { useMissionSentences } from '../mission-sentence.ts';
import { missionTypeName, periodName } from '../mission-types.ts';
import { useRewardNames } from '../use-names.ts';
import { MissionFigures } from './mission-figures.tsx';
import { MissionState, missionState } from './mission-state.tsx';

/** One standalone mission: its audiences, goal and rewards, and the progress of accounts. */
export function MissionPage() {
  const t = useTranslations('campaigns.standalone');
  const { id = '' } = useParams();
  const query = useQuery(MissionAdminService.method.getMission, { id });
  const { data, dataUpdatedAt, refetch } = query;
  const error = failureOfQuery(query);
  const mission = data?.mission;
  if (error !== null) return <FailureAlert error={error} retry={() => void refetch()} />;
  if (mission === undefined) return <PageSkeleton />;
  return (
    <Page
      title={
        <Group gap="sm" component="span">
          {mission.name}
          <MissionState mission={mission} now={dataUpdatedAt} />
        </Group>
      }
      tabTitle={mission.name}
      description={mission.description === '' ? undefined : mission.description}
      id={id}
      back={{ to: '/campaigns/missions', label: t('title') }}
      actions={
        <Allowed to={Permission.KEEP_CAMPAIGNS}>
          <Actions mission={mission} />
        </Allowed>
      }
    >
      <Stack gap="lg">
        <MissionFacts mission={mission} />
        <MissionFigures id={id} />
      </Stack>
    </Page>
  );
}

function MissionFacts({ mission }: { readonly mission: Mission }) {
  const t = useTranslations('campaigns.standalone');
  const of = useTranslations('campaigns');
  const format = useFormatter();
  const sentences = useMissionSentences()(mission);
  const ofMilestones = mission.milestones.flatMap(({ rewardIds }) => rewardIds);
  const rewardName = useRewardNames([...mission.rewardIds, ...ofMilestones]);
  const moment = (time: Timestamp | undefined) => time && format.dateTime(timestampDate(time), 'moment');
  const rewards = mission.rewardIds.map(rewardName);
  const type = missionTypeName(mission.type);
  return (
    <Card component="section">
      <Title order={2} mb="xs">
        {t('asks')}
      </Title>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl" mb="md">
        <div>
          <Text size="sm">{sentences[0]}</Text>
          <List size="sm" c="dimmed" spacing={2}>
            {sentences.slice(1).map((sentence) => (
              <List.Item key={sentence}>{sentence}</List.Item>
            ))}
          </List>
        </div>
        <FeedItemPreview
          item={{
            type,
            name: mission.name,
            description: mission.description,
            imageUrl: mission.imageUrl ?? '',
            target: mission.endless === true ? (mission.milestones[0]?.length ?? '') : mission.target,
            period: periodName(mission.period),
            rewards,
          }}
        />
      </SimpleGrid>
      <Facts
        facts={[
          [t('audience'), <NameLink key="audience" kind="audience" id={mission.audienceId ?? ''} />],
          [t('gives'), rewards.length === 0 ? t('noReward') : format.list(rewards)],
          ...mission.milestones.map(({ length, rewardIds, freezes = 0 }): [string, string] => [
            of('atMilestone', { length }),
            format.list([...rewardIds.map(rewardName), ...(freezes > 0 ? [of('freezes', { count: freezes })] : [])]),
          ]),
          [of('event'), mission.programmaticCode],
          [of('target'), mission.endless === true ? of('endless') : format.number(mission.target, 'amount')],
          [of('startsAt'), moment(mission.startsAt) ?? t('atCreation')],
          [of('endsAt'), moment(mission.endsAt) ?? of('openEnd')],
        ]}
      />
    </Card>
  );
}

function Actions({ mission }: { readonly mission: Mission }) {
  const t = useTranslations('campaigns.standalone');
  const of = useTranslations('campaigns');
  const confirm = useConfirm();
  const end = useMutation(MissionAdminService.method.endMission, { meta: { showsError: true } });
  const [now] = useState(() => Date.now());
  const { id, name, version } = mission;

  async function askAndEnd(): Promise<void> {
    const question = { title: t('endTitle', { name }), message: t('endText'), confirm: of('end') };
    const act = () => end.mutateAsync({ id, version });
    if (await confirm({ ...question, act })) notifyDone(t('ended', { name }));
  }

  return (
    <>
      <Button
        component={Link}
        to={`/campaigns/missions/${id}/edit`}
        variant="default"
        leftSection={<Pencil size={16} aria-hidden />}
      >
        {of('editAction')}
      </Button>
      {missionState(mission, now) !== 'OVER' && <ImproveMission mission={mission} version={version ?? 1} />}
      {missionState(mission, now) !== 'OVER' && (
        <Button
          variant="default"
          leftSection={<CircleStop size={16} aria-hidden />}
          loading={end.isPending}
          onClick={() => void askAndEnd()}
        >
          {of('end')}
        </Button>
      )}
    </>
  );
}
