import { Card, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import type { Overview, Overview_Point } from '../../../../gen/laurel/admin/v1/statistics_admin_service_pb.ts';
import { Figure } from '../../shell/figure.tsx';

/** The figures of the first page: what there is now, and the sums of the span. */
export function Figures({ overview }: { readonly overview: Overview | undefined }) {
  const t = useTranslations('overview');
  const format = useFormatter();
  const sum = (pick: (point: Overview_Point) => number) =>
    (overview?.points ?? []).reduce((total, point) => total + pick(point), 0);
  const delivered = sum(({ webhooksDelivered }) => webhooksDelivered);
  const sent = delivered + sum(({ webhooksFailed }) => webhooksFailed);
  const figures = [
    [t('accounts'), format.number(overview?.totals?.accounts ?? 0)],
    [t('activeCampaigns'), format.number(overview?.totals?.activeCampaigns ?? 0)],
    [t('pendingStock'), format.number(overview?.totals?.pendingStock ?? 0)],
    [t('events'), format.number(sum(({ eventsApplied }) => eventsApplied))],
    [t('missionsCompleted'), format.number(sum(({ missionsCompleted }) => missionsCompleted))],
    [t('rewardsDelivered'), format.number(sum(({ rewardsDelivered }) => rewardsDelivered))],
    [t('campaignsCompleted'), format.number(sum(({ campaignsCompleted }) => campaignsCompleted))],
    [
      t('webhookSuccess'),
      sent === 0 ? '–' : format.number(delivered / sent, { style: 'percent', maximumFractionDigits: 1 }),
    ],
  ] as const;
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }}>
      {figures.map(([name, figure]) => (
        <Card key={name} padding="md">
          <Text size="xs" c="dimmed">
            {name}
          </Text>
          {overview === undefined ? <Skeleton h={26} w={80} mt={8} /> : <Figure>{figure}</Figure>}
        </Card>
      ))}
    </SimpleGrid>
  );
}
