import { useQuery } from '@connectrpc/connect-query';
import { Card, Skeleton, Text, Title } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import { MissionAdminService } from '../../../../../gen/laurel/admin/v1/mission_admin_service_pb.ts';
import { failureOfQuery } from '../../../api/failure.ts';
import { FailureAlert } from '../../../feedback/failure-alert.tsx';
import { Facts } from '../../../shell/facts.tsx';

/** Milliseconds between two looks: the service counts again every ten seconds. */
const REFRESH_MS = 15_000;

/** The progress of a standalone mission's accounts. */
export function MissionFigures({ id }: { readonly id: string }) {
  const t = useTranslations('campaigns.standalone');
  const of = useTranslations('campaigns');
  const format = useFormatter();
  const query = useQuery(MissionAdminService.method.getMissionFunnel, { id }, { refetchInterval: REFRESH_MS });
  const { data, refetch } = query;
  const error = failureOfQuery(query);
  const funnel = data?.funnel;
  return (
    <Card component="section">
      <Title order={2}>{t('figures')}</Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('figuresHint')}
      </Text>
      {error !== null && <FailureAlert error={error} retry={() => void refetch()} />}
      {error === null && funnel === undefined && <Skeleton h={44} />}
      {funnel && (
        <Facts
          facts={[
            [t('members'), format.number(funnel.members)],
            [of('started'), format.number(funnel.started)],
            [t('completed'), format.number(funnel.completed)],
          ]}
        />
      )}
    </Card>
  );
}
