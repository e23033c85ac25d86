import { useQuery } from '@connectrpc/connect-query';
import { Card, Skeleton, Text, Title } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import { CampaignAdminService } from '../../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import type { Campaign } from '../../../../gen/laurel/v1/campaign_pb.ts';
import { failureOfQuery } from '../../api/failure.ts';
import { TimeBars } from '../../chart/time-bars.tsx';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { localTimeOf } from '../../form/local-time.ts';
import { useSession } from '../../session/session-context.tsx';

/** Days that are shown. */
const DAYS = 30;

/** Days that are shown of a new campaign. */
const LEAST = 7;

/** The activity of a campaign on each of the last days since its creation. */
export function CampaignSeries({ campaign: { id, createdAt } }: { readonly campaign: Campaign }) {
  const t = useTranslations('leads');
  const format = useFormatter();
  const query = useQuery(CampaignAdminService.method.getCampaignSeries, { id, days: DAYS });
  const { client } = useSession();
  const zone = client?.timeZone ?? 'UTC';
  // A campaign that was created on the last day shows a week all the same, so that its bars have neighbours.
  const first = createdAt === undefined ? '' : localTimeOf(createdAt, zone).slice(0, 10);
  const rows = query.data?.rows.filter(({ date }, index, all) => date >= first || index >= all.length - LEAST);
  const error = failureOfQuery(query);
  return (
    <Card component="section">
      <Title order={2}>{t('series')}</Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('seriesHint')}
      </Text>
      {error !== null && <FailureAlert error={error} retry={() => void query.refetch()} />}
      {error === null && rows === undefined && <Skeleton h={220} />}
      {error === null && rows !== undefined && (
        <TimeBars
          h={220}
          data={rows.map(({ date, started, completed, closed }) => ({
            // Dates are of the client's zone already.
            date: format.dateTime(new Date(`${date}T12:00:00Z`), { day: 'numeric', month: 'short', timeZone: 'UTC' }),
            started,
            completed,
            closed,
          }))}
          dataKey="date"
          series={[
            { name: 'started', label: t('seriesStarted'), color: 'gray.5' },
            { name: 'completed', label: t('completed'), color: 'laurel.6' },
            { name: 'closed', label: t('closed'), color: 'yellow.6' },
          ]}
        />
      )}
    </Card>
  );
}
