import { useQuery } from '@connectrpc/connect-query';
import { Card, Group, Progress, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import { CampaignAdminService } from '../../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { failureOfQuery } from '../../api/failure.ts';
import { FailureAlert } from '../../feedback/failure-alert.tsx';

/** Milliseconds between two looks: the service counts again every ten seconds. */
const LOOK_EVERY = 15_000;

/** How far the accounts of a campaign are: from its audiences to its reward. */
export function CampaignFunnel({ id }: { readonly id: string }) {
  const t = useTranslations('campaigns');
  const query = useQuery(CampaignAdminService.method.getCampaignFunnel, { id }, { refetchInterval: LOOK_EVERY });
  const { data, refetch } = query;
  const error = failureOfQuery(query);
  const funnel = data?.funnel;
  return (
    <Card component="section">
      <Title order={2}>{t('funnel')}</Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('funnelHint')}
      </Text>
      {error !== null && <FailureAlert error={error} retry={() => void refetch()} />}
      {error === null && funnel === undefined && <Skeleton h={120} />}
      {funnel && (
        <Stack gap="sm">
          <Bar name={t('members')} count={funnel.members} of={funnel.members} />
          {funnel.missions.map(({ missionId, name, started, completed }) => (
            <Bar key={missionId} name={name} count={completed} started={started} of={funnel.members} />
          ))}
          <Bar name={t('completedAll')} count={funnel.completed} of={funnel.members} />
          <Bar name={t('closed')} count={funnel.claimed} of={funnel.members} />
        </Stack>
      )}
    </Card>
  );
}

/** Accounts that left the audience are still counted as having played, so a bar may be fuller than full. */
function Bar(props: { readonly name: string; readonly count: number; readonly started?: number; readonly of: number }) {
  const t = useTranslations('campaigns');
  const format = useFormatter();
  const share = (count: number) => (props.of === 0 ? 0 : Math.min(1, count / props.of));
  const percent = format.number(share(props.count), { style: 'percent', maximumFractionDigits: 1 });
  const { started } = props;
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="sm">{props.name}</Text>
        <Text size="sm" c="dimmed" className="laurel-number">
          {started === undefined
            ? t('share', { count: props.count, percent })
            : t('startedShare', { started, count: props.count, percent })}
        </Text>
      </Group>
      <Progress.Root size="lg" radius="sm">
        <Progress.Section value={100 * share(props.count)} aria-label={props.name} />
        {started !== undefined && (
          <Progress.Section
            value={100 * Math.max(0, share(started) - share(props.count))}
            opacity={0.4}
            aria-label={t('started')}
          />
        )}
      </Progress.Root>
    </div>
  );
}
